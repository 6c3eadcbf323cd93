internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// The file of the attribute index: `<hash of the store's path>.gpg` in the user's cache folder.
///
/// Decrypted it is lines: a heading with the store's path, and for each entry `> inode size modified changed path`,
/// followed by the entry's fields as they stand in it.
struct IndexFile: Sendable {
    private let folder: Path
    private let name: [UInt8]
    private let heading: [UInt8]

    /// What is kept of one entry.
    struct Entry: Sendable {
        let facts: FileFacts
        let attributes: ItemAttributes
    }

    /// The largest file that is read, in bytes: 64 MiB.
    private static let largest = 64 * 1024 * 1024

    init(of store: Store, in folder: Path) {
        self.folder = folder
        heading = Array("passchain index 1 ".utf8) + store.root.bytes
        name = Array("\(Self.hash(store.root.bytes)).gpg".utf8)
    }

    /// FNV-1a, 64 bits: names must differ, not resist anybody.
    private static func hash(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return String(decoding: hash.hexadecimal, as: UTF8.self)
    }

    /// The entries of the file; none when it is missing or damaged, nil when it could not be decrypted just now.
    func load(from store: Store) -> [Path: Entry]? {
        guard let place = try? ConfinedFolder(folder).locate(Path(name)),
            let message = try? place.read(limit: Self.largest)
        else { return [:] }
        do throws(StoreError) {
            return try store.unseal(message).withBytes { parse($0) }
        } catch {
            return StoreFailure(error, in: store).concernsOneEntry ? [:] : nil
        }
    }

    /// Puts `entries` in place of what the file holds.
    func save(_ entries: [Path: Entry], to store: Store) {
        guard let message = try? store.seal(text(of: entries)) else { return }
        let temporary = Array(".\(UUID().uuidString).tmp".utf8)
        do throws(Errno) {
            _ = try makeFolders(at: folder)
            let place = try ConfinedFolder(folder).locate(Path(name), followingLast: false)
            try AtomicFile.prepare(message, for: place, temporaryName: temporary, mode: 0o600).commit()
        } catch {
            return  // The next process decrypts more, and tries again.
        }
    }

    private func text(of entries: [Path: Entry]) -> SecretBytes {
        var buffer = SecretBuffer(capacity: 512 * (entries.count + 1))
        buffer.append((heading + [UInt8(ascii: "\n")]).span)
        for (path, entry) in entries {
            let facts = entry.facts
            let line = "> \(facts.inode) \(facts.size) \(facts.modified) \(facts.changed) "
            buffer.append((Array(line.utf8) + path.bytes + [UInt8(ascii: "\n")]).span)
            ItemFields.append(entry.attributes, of: ItemPath.itemClass(ofItemAt: path.bytes), to: &buffer)
        }
        return buffer.finish()
    }

    /// Reads the lines; an entry that does not parse is passed over.
    private func parse(_ bytes: Span<UInt8>) -> [Path: Entry] {
        let lines = bytes.lines
        guard let first = lines.first, bytes.copy(first) == heading else { return [:] }
        var entries: [Path: Entry] = [:]
        var start = 1
        while start < lines.count {
            var end = start + 1
            while end < lines.count, bytes[lines[end].lowerBound] != UInt8(ascii: ">") { end += 1 }
            if let (path, facts) = parseHead(bytes.copy(lines[start])),
                let attributes = try? ItemAttributes(
                    bytes,
                    in: lines[start + 1..<end],
                    of: ItemPath.itemClass(ofItemAt: path.bytes)
                )
            {
                entries[path] = Entry(facts: facts, attributes: attributes)
            }
            start = end
        }
        return entries
    }

    private func parseHead(_ line: [UInt8]) -> (Path, FileFacts)? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
        guard words.count == 6, let inode = UInt64(text(words[1])), let size = Int(text(words[2])),
            let modified = Int64(text(words[3])), let changed = Int64(text(words[4])),
            let path = Path(checking: Array(words[5]))
        else { return nil }
        let facts = FileFacts(inode: inode, size: size, modified: modified, changed: changed)
        return (path, facts)
    }

    private func text(_ word: ArraySlice<UInt8>) -> String { String(decoding: word, as: UTF8.self) }
}

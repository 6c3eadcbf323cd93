internal import PasswordStore
internal import SecretMemory
internal import Unix

/// A decrypted entry in a file, for the editor: in a private folder in memory, which goes away with this object.
///
/// The path is the one that pass makes, `/dev/shm/PROGRAM.*/??????-NAME.txt`; vim's redact_pass plugin knows it.
final class SecretFile {
    /// Where the file is.
    let path: Path
    /// The folder that it lies in.
    let folder: ScratchFolder

    /// Makes the folder, and in it a file of `contents`; no file when there are none.
    init(for name: EntryName, holding contents: SecretBytes?, in session: Session) throws(Failure) {
        let prefix = session.program + [UInt8(ascii: ".")]
        let memory: Path = "/dev/shm"
        // Why it cannot be had does not matter: the user is told, and asked.
        let records = RecordFolder.forWriting(session.environment)
        if let inMemory = try? ScratchFolder(in: memory, prefix: prefix, isInMemory: true, records: records) {
            folder = inMemory
        } else {
            session.output.error(
                """
                Your system has no /dev/shm that can be written to. The decrypted text will lie on a disk while
                you edit it, and it may be hard to erase it from there entirely.

                """
            )
            try session.confirm("Are you sure you would like to continue?")
            let disk = try SecretFile.folderOnDisk(session)
            folder = try Failure.wording { () throws(Errno) in
                try ScratchFolder(
                    in: disk,
                    prefix: prefix,
                    isInMemory: false,
                    records: records
                )
            }
        }
        let mark = ScratchFolder.randomMark(length: 6)
        path = folder.path.appending(
            Path(mark + [UInt8(ascii: "-")] + SecretFile.flat(name) + Array(".txt".utf8))
        )
        guard let contents else { return }
        try Failure.wording { [folder, path] () throws(Errno) in try folder.write(contents, to: path) }
    }

    /// The entry's name without slashes; of one that is too long for a file, as many folders may make it, the end.
    private static func flat(_ name: EntryName) -> [UInt8] {
        let most = 255 - "??????-.txt".utf8.count
        let flat = name.bytes.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
        // No character is cut in two.
        return flat.count <= most ? flat : Array(flat.suffix(most).drop { $0 & 0xC0 == 0x80 })
    }

    /// Where the text lies when it cannot lie in memory.
    ///
    /// Others could put a folder of theirs in the place of this one, for the editor to write to.
    private static func folderOnDisk(_ session: Session) throws(Failure) -> Path {
        guard let folder = session.environment.nonEmpty("TMPDIR").map({ Path($0) }) else { return "/tmp" }
        guard folder.isTrustedFolder != false else {
            throw Failure(
                "Error: other users can replace what lies in TMPDIR, \(folder). Set it to a folder of your own."
            )
        }
        return folder
    }

    /// What the file holds now, up to `limit` bytes; `nil` when it is not there.
    func read(limit: Int) throws(Failure) -> SecretBytes? {
        try Failure.wording { () throws(Errno) in
            do throws(Errno) {
                return try folder.read(path, limit: limit)
            } catch  where error.isNoSuchFile {
                return nil
            }
        }
    }

    /// Leaves the folder where it is: it holds what the user wrote and could not save.
    func keep() { folder.keep() }

    /// Removes the folder now.
    func remove() { folder.remove() }
}

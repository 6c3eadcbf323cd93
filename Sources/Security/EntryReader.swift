internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Synchronization
internal import Unix

/// Decrypts entries, several at a time: GnuPG's processes wait for each other only a little.
struct EntryReader: Sendable {
    let store: Store

    /// What came of one entry.
    enum Outcome: Sendable {
        case contents(SecretBytes, FileFacts, at: Date)
        /// Nothing has the name any more.
        case vanished
        case failed(StoreFailure)
    }

    /// How many are decrypted side by side.
    static let width = 4

    /// Decrypts the entry at `path`.
    func read(_ path: Path) -> Outcome {
        let start = Date()
        do throws(StoreError) {
            let (contents, version) = try store.decryptEntry(at: path)
            return .contents(contents, FileFacts(version), at: start)
        } catch .file(let error) where error.isNoSuchFile {
            return .vanished
        } catch {
            return .failed(StoreFailure(error))
        }
    }

    /// Decrypts the entries at `paths`, and stops early when a failure concerns more than one entry.
    ///
    /// - Returns: an outcome for each path that was tried, in their order.
    func read(_ paths: [Path]) -> [(Path, Outcome)] {
        guard paths.count > 1 else { return paths.map { ($0, read($0)) } }
        let work = Mutex((next: 0, outcomes: [Int: Outcome](), isStopped: false))
        let group = DispatchGroup()
        for _ in 0..<min(Self.width, paths.count) {
            group.enter()
            Thread.detachNewThread {
                while let index = work.withLock({ work -> Int? in
                    guard !work.isStopped, work.next < paths.count else { return nil }
                    defer { work.next += 1 }
                    return work.next
                }) {
                    let outcome = read(paths[index])
                    work.withLock { work in
                        work.outcomes[index] = outcome
                        if case .failed(let failure) = outcome, !failure.concernsOneEntry {
                            work.isStopped = true
                        }
                    }
                }
                group.leave()
            }
        }
        group.wait()
        return work.withLock { work in
            paths.indices.compactMap { index in work.outcomes[index].map { (paths[index], $0) } }
        }
    }
}

internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// Decrypts entries, several at a time: GnuPG's processes wait for each other only a little.
struct EntryReader: Sendable {
    let store: Store

    /// What came of one entry.
    enum Outcome: Sendable {
        case contents(SecretBytes, FileStatus, at: Date)
        /// Nothing has the name any more.
        case vanished
        case failed(StoreFailure)
    }

    /// Decrypts the entry at `path`.
    func read(_ path: Path) -> Outcome {
        let start = Date()
        do throws(StoreError) {
            let (contents, version) = try store.decryptEntry(at: path)
            return .contents(contents, version, at: start)
        } catch .file(let error) where error.isNoSuchFile {
            return .vanished
        } catch {
            return .failed(StoreFailure(error, in: store))
        }
    }

    /// Decrypts the entries at `paths`, and stops early when a failure concerns more than one entry.
    ///
    /// - Returns: an outcome for each path that was tried, in their order.
    func read(_ paths: [Path]) -> [(Path, Outcome)] {
        var outcomes: [(Path, Outcome)] = []
        OrderedWork.run(count: paths.count, threads: store.settings.threads) {
            read(paths[$0])
        } _: { outcome in
            outcomes.append((paths[outcomes.count], outcome))
            if case .failed(let failure) = outcome { return failure.concernsOneEntry }
            return true
        }
        return outcomes
    }
}

internal import Foundation
internal import PasswordStore
internal import Synchronization
internal import Unix

extension Keychain {
    /// Removes every item that `query` means, or none.
    ///
    /// - Throws: `errSecItemNotFound` for no item.
    func remove(_ query: ItemQuery) throws(StatusError) {
        try writers.withLock { (_) throws(StatusError) in
            let transaction = try begin(.delete)
            let found = try find(query, needsContents: false)
            var paths: [Path] = []
            for one in found { paths.append(Path(try one.item.location.path())) }
            try answering(.delete) { () throws(StoreError) in
                for path in paths { try transaction.remove(path) }
            }
            let name = paths.count == 1 ? "item \(paths[0])" : "\(paths.count) items"
            try commit(transaction, .delete, message: "Remove keychain \(name).")
        }
    }

    /// Answers a copy query.
    func copy(_ query: ItemQuery) throws(StatusError) -> NSObject? {
        let result = ItemResult(wanted: query.wanted)
        let found = try find(query, needsContents: result.needsContents)
        guard query.limit == .one, let first = found.first else { return try result.answer(for: found) }
        return try result.answer(for: first)
    }
}

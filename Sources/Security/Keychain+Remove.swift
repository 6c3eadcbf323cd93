internal import Foundation
internal import PasswordStore
internal import Unix

extension Keychain {
    /// Removes every item that `query` means, or none.
    ///
    /// - Throws: `errSecItemNotFound` for no item.
    func remove(_ query: ItemQuery) throws(StatusError) {
        try change(.delete) { () throws(StatusError) in
            let entries = try find(query, needsContents: false).map { (one) throws(StatusError) in
                try one.item.entry()
            }
            let name = entries.count == 1 ? "item \(entries[0].path)" : "\(entries.count) items"
            return (entries.map(Transaction.Edit.remove), "Remove keychain \(name).")
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

extension KnownItem {
    /// The entry that it was read from.
    func entry() throws(StatusError) -> Transaction.Entry {
        guard let version else { throw StatusError(errSecItemNotFound) }
        return Transaction.Entry(at: Path(try location.path()), version)
    }
}

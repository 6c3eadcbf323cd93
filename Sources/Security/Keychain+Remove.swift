internal import PasswordStore

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
}

internal import PasswordStore
internal import Synchronization
internal import Unix

extension Keychain {
    /// A change of the store: what is to be done, and the commit's text.
    typealias Change = (edits: [Transaction.Edit], message: String)

    /// Makes one change while nobody else makes one.
    ///
    /// - Parameters:
    ///   - operation: the call.
    ///   - plan: works out the change from what the store holds now; the store is locked.
    /// - Throws: the status for the caller, with every item as it was; what could not even be taken back the
    ///   next change finishes.
    func change(
        _ operation: ItemQuery.Operation,
        _ plan: () throws(StatusError) -> Change
    ) throws(StatusError) {
        try writers.withLock { (_) throws(StatusError) in
            let transaction = try answering(operation) { () throws(StoreError) in
                try Transaction(on: store)
            }
            if let recovery = transaction.recovery { log(recovery, operation) }
            // Programs that do not know of the lock, as pass, may change an entry meanwhile: look again.
            for _ in 0..<Self.mostAttempts {
                let (edits, message) = try plan()
                if try commit(edits, message, in: transaction, operation) { return }
            }
            throw statusError(.unsettled, operation)
        }
    }

    /// Makes the changes; false when an entry is not any more what it was when they were worked out.
    private func commit(
        _ edits: [Transaction.Edit],
        _ message: String,
        in transaction: Transaction,
        _ operation: ItemQuery.Operation
    ) throws(StatusError) -> Bool {
        try answering(operation) { () throws(StoreError) in
            do throws(StoreError) {
                log(try transaction.commit(edits, message: Array(message.utf8)), operation)
                index.forget(edits.compactMap(\.vacated))
                return true
            } catch .changedMeanwhile {
                return false
            }
        }
    }

    /// Logs a commit that failed: the items are saved then, but not in the history.
    ///
    /// The store keeps their paths, and its next change records them.
    private func log(_ receipt: Receipt, _ operation: ItemQuery.Operation) {
        if case .failed(let status, let output)? = receipt.failedCommit {
            let words = String(decoding: output, as: UTF8.self)
            log.write(
                operation,
                "saved, but not committed: git ended with status \(status): \(words) The next change commits it."
            )
        }
    }

    /// Logs what became of a change before this one.
    private func log(_ recovery: Recovery, _ operation: ItemQuery.Operation) {
        for path in recovery.overtaken {
            log.write(operation, "\(path): changed since an interrupted change, and left as it is")
        }
        if recovery.total > 0 {
            let word = recovery.isFinished ? "finished" : "taken back"
            log.write(operation, "an interrupted change of \(recovery.total) files is \(word) now")
        } else if recovery.receipt.failedCommit == nil {
            log.write(operation, "what an earlier change left uncommitted is committed now")
        }
    }
}

extension Transaction.Edit {
    /// The path that nothing has any more.
    fileprivate var vacated: Path? {
        switch self {
        case .create, .replace: nil
        case .move(let entry, _, _), .remove(let entry): entry.path
        }
    }
}

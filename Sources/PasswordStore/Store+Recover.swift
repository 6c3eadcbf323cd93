public import Unix

/// What became of a change that was interrupted, when the next one came.
public struct Recovery: Sendable, Hashable {
    /// What had been asked for.
    ///
    /// The raw values are what stands in the store until the change is over.
    public enum Change: String, Sendable, Hashable {
        case write, remove, initialize, move, copy, reencrypt
        /// Several entries at once, by a program that uses the keychain.
        case transaction
    }

    /// What had been asked for.
    public let change: Change
    /// Whether it was finished now; else it was taken back, with every entry as it was.
    public let isFinished: Bool
    /// How many of its files had been made, or been put in their places, when it was interrupted.
    public let done: Int
    /// How many files it is about; 0 when only history was left behind.
    public let total: Int
    /// Files that somebody else changed meanwhile, below the root: they stay as they are.
    public let overtaken: [Path]
    /// What the histories recorded now.
    public let receipt: Receipt
}

extension Store {
    /// Finishes, or takes back, a change that a crash or a kill interrupted.
    ///
    /// Every change of the store begins with this by itself; whoever wants to tell the user calls it before.
    ///
    /// - Returns: what was done; `nil` when there was nothing to do.
    /// - Throws: ``StoreError``.
    public func recover() throws(StoreError) -> Recovery? {
        guard let root = try openRootIfPresent(), Journal(of: root).isPresent else { return nil }
        // Whoever is at work now finishes by himself: after the wait there may be nothing left.
        let lock = try lockWithoutRecovery()
        defer { withExtendedLifetime(lock) {} }
        return lock.isBorrowed ? nil : try recover(in: root)
    }

    /// The same with the lock held.
    func recover(in root: ConfinedFolder) throws(StoreError) -> Recovery? {
        let journal = Journal(of: root)
        guard journal.isPresent else { return nil }
        return try Interruption.held { () throws(StoreError) in
            guard let change = try asStoreError({ () throws(Errno) in try journal.read() }) else {
                try asStoreError { () throws(Errno) in try journal.remove() }
                return nil
            }
            return change.steps.isEmpty
                ? try takeBack(change, in: root) : try finish(change, in: root)
        }
    }

    /// Removes what had been prepared.
    ///
    /// A single file may have been put in its place already; then it is recorded.
    private func takeBack(_ change: PendingChange, in root: ConfinedFolder) throws(StoreError) -> Recovery? {
        var prepared = 0
        try asStoreError { () throws(Errno) in
            for path in change.temporaries where try removeIfPresent(path, in: root) { prepared += 1 }
        }
        removeFolders(of: change, in: root)
        // A single file may be in its place already. Of all others nothing is, and so there is nothing to record.
        let isOfOneFile = change.kind == .write || change.kind == .remove
        let receipt = recordLeft(change, isOfOneFile ? change.commits : [], in: root)
        let total = change.temporaries.count
        guard prepared > 0 && total > 1 || receipt.commits.contains(where: { $0 != .unchanged }) else {
            return nil
        }
        return Recovery(
            change: change.kind,
            isFinished: isOfOneFile,
            done: prepared,
            total: isOfOneFile ? 0 : total,
            overtaken: [],
            receipt: receipt
        )
    }

    /// Removes the folders that were made for a change; as with one that fails, what is in use by now stays.
    private func removeFolders(of change: PendingChange, in root: ConfinedFolder) {
        for folder in change.folders.reversed() {
            try? root.locate(folder, followingLast: false).removeFolder()
        }
    }

    private func removeIfPresent(_ path: Path, in root: ConfinedFolder) throws(Errno) -> Bool {
        do throws(Errno) {
            try root.locate(path, followingLast: false).remove()
            return true
        } catch {
            if error.isNoSuchFile { return false }
            throw error
        }
    }

    private func finish(_ change: PendingChange, in root: ConfinedFolder) throws(StoreError) -> Recovery {
        var change = change
        var progress = PendingChange.Progress()
        try asStoreError { () throws(Errno) in
            try change.performSteps(&progress, withoutPlacesThatAreGone: true, in: root)
        }
        // All steps are made: what cannot be removed now goes with the next change of its folder.
        for path in change.temporaries + change.steps.compactMap(\.newFile) {
            _ = try? removeIfPresent(path, in: root)
        }
        if change.isUndo { removeFolders(of: change, in: root) }
        return Recovery(
            change: change.kind,
            isFinished: !change.isUndo,
            done: progress.madeBefore,
            total: change.steps.count,
            overtaken: progress.overtaken.map(\.path),
            receipt: recordLeft(change, change.commits, in: root)
        )
    }

    /// Records what earlier changes left, and `commits`.
    private func recordLeft(
        _ change: PendingChange,
        _ commits: [PendingChange.Commit],
        in root: ConfinedFolder
    ) -> Receipt {
        var rest = PendingChange(kind: change.kind, isUndo: change.isUndo)
        rest.commits = (change.leftover + commits).map { present($0, in: root) }
        return Receipt(commits: record(rest, in: root, again: change.leftover + change.commits))
    }

    /// A commit of what is there: git does not add what is not.
    private func present(_ commit: PendingChange.Commit, in root: ConfinedFolder) -> PendingChange.Commit {
        // What cannot be looked at, git cannot add.
        let added = commit.added.filter { path in
            (try? root.locate(path, followingLast: false).status()) != nil
        }
        return PendingChange.Commit(paths: commit.paths, added: added, message: commit.message)
    }
}

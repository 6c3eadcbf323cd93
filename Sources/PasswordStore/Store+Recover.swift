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
    /// - Throws: ``StoreError``, ``StoreError/blocked(_:_:)`` among them.
    public func recover() throws(StoreError) -> Recovery? {
        guard let root = try openRootIfPresent(), Journal(of: root).isPresent else { return nil }
        // Whoever is at work now finishes by himself: after the wait there may be nothing left.
        let lock = try lockWithoutRecovery(root)
        defer { withExtendedLifetime((lock, root)) {} }
        return lock.isBorrowed ? nil : try recover(in: root)
    }

    /// The same with the lock held.
    func recover(in root: ConfinedFolder) throws(StoreError) -> Recovery? {
        let journal = Journal(of: root)
        guard journal.isPresent else { return nil }
        return try Interruption.held { () throws(StoreError) in
            var current: PendingChange?
            var former: [(place: Journal.Place, change: PendingChange)] = []
            // All of them are read before anything is done about one.
            for place in try asStoreError({ () throws(Errno) in try journal.places() }) {
                switch (try journal.content(of: place), place.isCurrent) {
                case (.change(let change), true): current = change
                case (.change(let change), false): former.append((place, change))
                case (.nothing, false), (.strange, false): break
                case (.torn, _), (.nothing, true), (.strange, true):
                    try asStoreError { () throws(Errno) in try journal.forget(place) }
                }
            }
            var settled: [Settled] = []
            for (place, change) in former {
                let result = try settle(change, in: root)
                settled.append(result)
                // From here on the current place has what is left of it.
                var rest = current ?? PendingChange(kind: change.kind)
                rest.leftover = result.commits + rest.leftover
                current = rest
                try asStoreError { () throws(Errno) in
                    try journal.write(rest, isDurable: true, for: place.path)
                    try journal.forget(place)
                }
            }
            guard let current else { return nil }
            let last = try settle(current, in: root)
            let receipt = record(last.commits, of: current, in: root)
            return recovery(from: settled + [last], receipt)
        }
    }

    /// A change of which nothing is left to do but its commits.
    private struct Settled {
        let kind: Recovery.Change
        let isFinished: Bool
        let done: Int
        let total: Int
        let overtaken: [Path]
        /// Its own, and those of earlier changes.
        let commits: [PendingChange.Commit]
        /// Whether the user may have seen some of it.
        let isWorthTelling: Bool
    }

    /// What is said about changes, the first of which gives its name.
    private func recovery(from settled: [Settled], _ receipt: Receipt) -> Recovery? {
        let told = settled.filter(\.isWorthTelling)
        guard let first = told.first ?? settled.last,
            !told.isEmpty || receipt.commits.contains(where: { $0 != .unchanged })
        else { return nil }
        return Recovery(
            change: first.kind,
            isFinished: told.allSatisfy(\.isFinished) && first.isFinished,
            done: told.isEmpty ? first.done : told.map(\.done).reduce(0, +),
            total: told.isEmpty ? first.total : told.map(\.total).reduce(0, +),
            overtaken: told.flatMap(\.overtaken),
            receipt: receipt
        )
    }

    /// Makes the rest of a change, or removes what it had prepared.
    private func settle(_ change: PendingChange, in root: ConfinedFolder) throws(StoreError) -> Settled {
        change.steps.isEmpty ? try takeBack(change, in: root) : try finish(change, in: root)
    }

    /// Removes what had been prepared.
    ///
    /// A single file may have been put in its place already; then it is recorded.
    private func takeBack(_ change: PendingChange, in root: ConfinedFolder) throws(StoreError) -> Settled {
        var prepared = 0
        try asStoreError { () throws(Errno) in
            for path in change.temporaries where try removeIfPresent(path, in: root) { prepared += 1 }
        }
        removeFolders(of: change, in: root)
        // A single file may be in its place already. Of all others nothing is, and so there is nothing to record.
        let isOfOneFile = change.kind == .write || change.kind == .remove
        let total = change.temporaries.count
        return Settled(
            kind: change.kind,
            isFinished: isOfOneFile,
            done: prepared,
            total: isOfOneFile ? 0 : total,
            overtaken: [],
            commits: change.leftover + (isOfOneFile ? change.commits : []),
            isWorthTelling: prepared > 0 && total > 1
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

    private func finish(_ change: PendingChange, in root: ConfinedFolder) throws(StoreError) -> Settled {
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
        return Settled(
            kind: change.kind,
            isFinished: !change.isUndo,
            done: progress.madeBefore,
            total: change.steps.count,
            overtaken: progress.overtaken.map(\.path),
            commits: change.leftover + change.commits,
            isWorthTelling: true
        )
    }

    /// Records `commits`, those that are left of `change`.
    private func record(
        _ commits: [PendingChange.Commit],
        of change: PendingChange,
        in root: ConfinedFolder
    ) -> Receipt {
        var rest = PendingChange(kind: change.kind, isUndo: change.isUndo)
        rest.commits = commits.map { present($0, in: root) }
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

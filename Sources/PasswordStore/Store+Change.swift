internal import Unix

extension Store {
    /// Prepares a change, makes it, and records it, with all of that written down meanwhile.
    ///
    /// The store is locked. When something fails while it is prepared, nothing has happened and nothing is left. When
    /// one of its steps fails, it stays pending: the next change of the store begins with what is left of it.
    ///
    /// - Parameters:
    ///   - change: what is about to be made; its steps are still to come.
    ///   - path: what it is about, which an error names.
    ///   - root: the store's folder.
    ///   - prepare: makes the temporary files.
    ///   - make: does the work, or sets the steps that do; answers the files that those use.
    /// - Returns: what became of each commit, in their order.
    /// - Throws: ``StoreError``.
    func carryOut<Prepared>(
        _ change: PendingChange,
        on path: Path,
        in root: ConfinedFolder,
        prepare: () throws(StoreError) -> Prepared,
        make: (Prepared, inout PendingChange) throws(StoreError) -> [StagedFile]
    ) throws(StoreError) -> [CommitOutcome] {
        let journal = Journal(of: root)
        var change = change
        change.leftover = try journal.unrecorded()
        try asStoreError { () throws(Errno) in try journal.write(change, isDurable: false, for: path) }
        let prepared: Prepared
        do throws(StoreError) {
            prepared = try prepare()
        } catch {
            abandon(change, in: root)
            throw error
        }
        return try Interruption.held { () throws(StoreError) in
            let files = try start(&change, on: path, in: root) { (change) throws(StoreError) in
                try make(prepared, &change)
            }
            let overtaken = try perform(&change, with: files, in: root)
            let outcomes = record(change, in: root)
            // What is in its place stays, and is recorded; that not all of it got there is said.
            if let overtaken { throw overtaken.overtakenError }
            return outcomes
        }
    }

    /// Lets `make` do the work, and writes down the steps that it leaves to be made.
    ///
    /// - Returns: the files that the steps use.
    private func start(
        _ change: inout PendingChange,
        on path: Path,
        in root: ConfinedFolder,
        make: (inout PendingChange) throws(StoreError) -> [StagedFile]
    ) throws(StoreError) -> [StagedFile] {
        var files: [StagedFile] = []
        do throws(StoreError) {
            files = try make(&change)
            if change.steps.isEmpty { return files }
            try asStoreError { () throws(Errno) in
                try Journal(of: root).write(change, isDurable: true, for: path)
            }
            // From here on they belong to the steps, whoever makes those.
            for file in files { file.leave() }
            return files
        } catch {
            switch error {
            // A file that is in its place, though not surely after a power cut, is recorded by the next change.
            case .file(let problem) where problem.isOfSynchronizing: break
            // The steps are written down, for the next change.
            case .unfinished: break
            default: abandon(change, files, in: root)
            }
            throw error
        }
    }

    /// Makes the steps.
    ///
    /// When the very first one fails, or none could be made, nothing has happened, and nothing stays.
    ///
    /// - Returns: the first that could not be made, because somebody else was faster.
    private func perform(
        _ change: inout PendingChange,
        with files: [StagedFile],
        in root: ConfinedFolder
    ) throws(StoreError) -> PendingChange.Step? {
        var progress = PendingChange.Progress()
        do throws(Errno) {
            try change.performSteps(&progress, in: root)
        } catch {
            // A new name that may not survive a power cut is a new name nevertheless.
            let done = error.isOfSynchronizing ? progress.made + 1 : progress.made
            guard done == 0 else { throw .unfinished(done: done, total: change.steps.count, error) }
            abandon(change, files, in: root)
            throw StoreError(error)
        }
        guard let fault = progress.fault else { return nil }
        if progress.overtaken.count == change.steps.count {
            abandon(change, files, in: root)
            throw fault.overtakenError
        }
        for file in files { file.remove() }
        return fault
    }

    /// Forgets a change of which nothing is in its place.
    ///
    /// Its steps go before its files: after a kill in between, the next change would make those of the steps that need no
    /// file, such as removals. Where the steps cannot be taken back, all stays for the next change.
    private func abandon(_ change: PendingChange, _ files: [StagedFile] = [], in root: ConfinedFolder) {
        if let path = change.steps.first?.path {
            var plan = change
            plan.steps = []
            plan.temporaries += files.map(\.path).filter { !change.temporaries.contains($0) }
            guard (try? Journal(of: root).write(plan, isDurable: true, for: path)) != nil else { return }
        }
        for file in files { file.remove() }
        // A folder that is in use by now stays.
        for folder in change.folders.reversed() { try? root.locateItself(folder).removeFolder() }
        Journal(of: root).close(leaving: change.leftover)
    }

    /// Makes the commits of a change whose files are in place; those that fail are kept for the next time.
    ///
    /// Meanwhile a hook may change the store: the lock is lent. Where what it started in the background takes longer
    /// than a change waits, that one keeps what is to be kept.
    ///
    /// - Parameters:
    ///   - change: what is to be recorded, and what is only to be kept.
    ///   - root: the store's folder.
    ///   - refused: commits that are being retried; `nil` for new ones. When retrying, stop at the first
    ///     failure and move it to the end of the queue, so that each change retries at most one failing
    ///     commit; and do not wait for git's own lock.
    /// - Returns: what became of each commit that was tried.
    func record(
        _ change: PendingChange,
        in root: ConfinedFolder,
        again refused: [PendingChange.Commit]? = nil
    ) -> [CommitOutcome] {
        var left = change.leftover
        var outcomes: [CommitOutcome] = []
        let newFiles = NewFiles()
        for (index, commit) in change.commits.enumerated() {
            if refused != nil, !left.isEmpty {
                left = change.commits[index...] + left
                break
            }
            do throws(Errno) {
                let parts = try split(commit, in: root)
                if parts.isEmpty { outcomes.append(.unchanged) }
                for (part, history) in parts {
                    var part = part
                    let patience = refused == nil ? History.lockPatience : 0
                    let outcome = try record(&part, in: history, of: root, waiting: patience)
                    outcomes.append(outcome)
                    history.give(newFiles, in: root)
                    if case .failed = outcome { left.append(part) }
                }
            } catch {
                outcomes.append(.failed(status: 127, output: Array("\(error)\n".utf8)))
                left.append(commit)
            }
        }
        guard root.retakeTurn(waiting: Store.lockPatience) else { return outcomes }
        // A hook may have changed the store by a command of its own, and that may have left something, too.
        let journal = Journal(of: root)
        let known = Set(refused ?? change.leftover + change.commits)
        // What cannot be read was not written by such a command.
        left += ((try? journal.unrecorded()) ?? []).filter { !known.contains($0) }
        journal.close(leaving: left)
        return outcomes
    }

    /// Makes the commit of one repository.
    private func record(
        _ part: inout PendingChange.Commit,
        in history: History,
        of root: ConfinedFolder,
        waiting patience: Double
    ) throws(Errno) -> CommitOutcome {
        let gone = try gone(part.paths, in: root)
        let submodules = try history.submodules(at: gone)
        if !submodules.isEmpty { part.paths.append(history.prefix.appending(History.modulesFile)) }
        return history.commit(
            part.paths,
            adding: part.added,
            removing: gone,
            submodules: submodules,
            message: part.message,
            patience: patience
        )
    }

    /// Those of the paths at which nothing is.
    private func gone(_ paths: [Path], in root: ConfinedFolder) throws(Errno) -> [Path] {
        var gone: [Path] = []
        for path in paths {
            do throws(Errno) {
                if try root.locate(path, followingLast: false).status() == nil { gone.append(path) }
            } catch {
                guard error.isNoSuchFile else { throw error }
                gone.append(path)
            }
        }
        return gone
    }

    /// The part of a commit for each repository that its paths lie in; what lies in none has no history.
    private func split(
        _ commit: PendingChange.Commit,
        in root: ConfinedFolder
    ) throws(Errno) -> [(part: PendingChange.Commit, history: History)] {
        var histories: [Path: History?] = [:]
        var parts: [(part: PendingChange.Commit, history: History)] = []
        let added = Set(commit.added)
        for path in commit.paths {
            if histories[path.parent] == nil {
                let found = try History(around: path.parent, of: root, settings: settings)
                histories[path.parent] = .some(found)
            }
            guard let history = histories[path.parent] ?? nil else { continue }
            let index = parts.firstIndex { $0.history.folder == history.folder } ?? parts.count
            if index == parts.count {
                parts.append((PendingChange.Commit(paths: [], added: [], message: commit.message), history))
            }
            parts[index].part.paths.append(path)
            if added.contains(path) { parts[index].part.added.append(path) }
        }
        return parts
    }

    /// The version of what is at a real path below the root; `nil` for nothing.
    func version(of path: Path, in root: ConfinedFolder) throws(StoreError) -> PendingChange.Version? {
        try asStoreError { () throws(Errno) in
            try root.locate(path, followingLast: false).status().map(PendingChange.Version.init)
        }
    }
}

internal import Unix

extension Transaction {
    /// What entries were before a change, and what it puts in their places.
    struct Former {
        fileprivate var old: [Path: (ciphertext: [UInt8], mode: UInt32)] = [:]
        fileprivate var new: [Path: PendingChange.Version] = [:]

        init(_ paths: [Path], _ steps: [PendingChange.Step], of transaction: Transaction) throws(StoreError) {
            for path in paths {
                let place = try transaction.location(of: path)
                old[path] = try asStoreError { () throws(Errno) in
                    (try place.read(limit: Store.largestFile), try place.status()?.mode ?? 0o600)
                }
            }
            for step in steps {
                guard let file = step.newFile else { continue }
                new[step.path] = try asStoreError { () throws(Errno) in
                    try transaction.root.locateItself(file).status().map(PendingChange.Version.init)
                }
            }
        }
    }

    /// Takes back the first `count` steps of a change.
    ///
    /// That is a change of its own, whose files are on disk, and which is written down, before it begins: what stops it
    /// half way the next change ends. Where it cannot even be prepared the next change goes forward instead, and so
    /// either way no entry is without its old contents or its new ones.
    ///
    /// - Throws: ``StoreError/unfinished(done:total:_:)`` when not all of them are taken back.
    func takeBack(
        _ count: Int,
        of change: PendingChange,
        to former: Former,
        with files: [StagedFile]
    ) throws(StoreError) {
        guard count > 0 else { return }
        var back = PendingChange(kind: .transaction, isUndo: true, folders: change.folders)
        back.commits = change.commits
        back.leftover = change.leftover
        var restored: [Restored] = []
        for step in change.steps[..<count].reversed() {
            back.steps += steps(back: step, in: change.steps[..<count], former, &restored)
        }
        do throws(Errno) {
            // A kill while they are made would leave what nothing knows.
            var forward = change
            forward.temporaries += restored.map(\.temporary)
            try Journal(of: root).write(forward, isDurable: true, for: change.steps[0].path)
            var staged: [StagedFile] = []
            for file in restored { staged.append(try stage(file, former)) }
            back.temporaries = files.map(\.path) + restored.map(\.temporary)
            try Journal(of: root).write(back, isDurable: true, for: change.steps[0].path)
            for file in staged { file.leave() }
        } catch {
            for file in files { file.leave() }
            throw .unfinished(done: count, total: change.steps.count, error)
        }
        var progress = PendingChange.Progress()
        do throws(Errno) {
            try back.performSteps(&progress, in: root)
        } catch {
            throw .unfinished(done: progress.made, total: back.steps.count, error)
        }
    }

    /// Old contents of an entry, and where they lie until they are put in their place.
    private struct Restored {
        let path: Path
        let name: [UInt8]

        var temporary: Path { path.parent.appending(Path(name)) }
    }

    private func stage(_ file: Restored, _ former: Former) throws(Errno) -> StagedFile {
        guard let old = former.old[file.path] else { throw Errno.noSuchFile(file.path) }
        return try StagedFile(
            old.ciphertext,
            for: try root.locateItself(file.path),
            temporaryName: file.name,
            mode: old.mode,
            in: root
        )
    }

    /// What takes back one of the steps that were made; what somebody else has changed since stays as it is.
    private func steps(
        back step: PendingChange.Step,
        in made: ArraySlice<PendingChange.Step>,
        _ former: Former,
        _ restored: inout [Restored]
    ) -> [PendingChange.Step] {
        /// Puts the old contents of an entry at `path` over what is of this version.
        func restore(_ path: Path, over version: PendingChange.Version?) -> [PendingChange.Step] {
            guard former.old[path] != nil else { return [] }
            let name = Store.temporaryName(restored.count) + Array(".undo".utf8)
            let file = Restored(path: path, name: name)
            restored.append(file)
            return [.replace(with: file.temporary, at: path, version)]
        }
        switch step {
        case .replace(_, let path, nil): return former.new[path].map { [.remove(path, $0)] } ?? []
        // A move gave it this name before it got its new contents; it gets its old name back next.
        case .replace(_, let path, _): return restore(path, over: former.new[path])
        case .remove(let path, _): return restore(path, over: nil)
        case .rename(let source, let target, let version, _):
            let isReplaced = made.contains { $0.newFile != nil && $0.path == target }
            guard isReplaced, let new = former.new[target] else {
                return [.rename(target, to: source, version, over: nil)]
            }
            return restore(source, over: nil) + [.remove(target, new)]
        }
    }
}

internal import Unix

extension PendingChange {
    /// How far the steps of a change have come.
    struct Progress {
        /// How many were made now or before, or cannot be made any more.
        var made = 0
        /// How many had been made before.
        var madeBefore = 0
        /// Those whose files somebody else changed meanwhile, and those that were left out because of that.
        var overtaken: [Step] = []
        /// The first among them whose file is not as it should be by now; a folder that stays is no fault.
        var fault: Step?
    }

    /// Makes all steps that are not made yet.
    ///
    /// Once something could not get to its place, no step removes anything: that may be the last there is of it.
    ///
    /// - Parameters:
    ///   - progress: what was done, also when a step fails.
    ///   - withoutPlacesThatAreGone: whether to skip steps whose folder no longer exists (after a crash).
    ///   - root: the store's folder.
    /// - Throws: ``Errno`` of the first step that fails.
    mutating func performSteps(
        _ progress: inout Progress,
        withoutPlacesThatAreGone: Bool = false,
        in root: ConfinedFolder
    ) throws(Errno) {
        var keepsTheRest = false
        for index in steps.indices {
            let outcome: Step.Outcome
            if keepsTheRest, !steps[index].puts {
                outcome = .overtaken
            } else {
                do throws(Errno) {
                    outcome = try performStep(index, in: root)
                } catch {
                    guard withoutPlacesThatAreGone, error.isOfPlaceThatIsGone else { throw error }
                    outcome = .overtaken
                }
            }
            switch outcome {
            case .made: break
            case .wasMade: progress.madeBefore += 1
            case .overtaken, .kept:
                progress.overtaken.append(steps[index])
                if outcome == .overtaken, progress.fault == nil { progress.fault = steps[index] }
                if steps[index].puts { keepsTheRest = true }
            }
            progress.made += 1
        }
    }

    /// Makes one step.
    ///
    /// A file that a new name cannot get to another file system has its new contents put there, and then goes: it has
    /// both names for a moment, and is never without one. That is written down before it is done.
    ///
    /// - Parameters:
    ///   - index: which step.
    ///   - root: the store's folder.
    /// - Returns: what became of it.
    /// - Throws: ``Errno``.
    mutating func performStep(_ index: Int, in root: ConfinedFolder) throws(Errno) -> Step.Outcome {
        do throws(Errno) {
            return try steps[index].perform(in: root)
        } catch {
            guard error.crossesFileSystems, index + 1 < steps.count,
                case .rename(let source, let target, let version, nil) = steps[index],
                case .replace(let file, target, version) = steps[index + 1],
                try root.locateItself(file).status() != nil
            else { throw error }
            steps.replaceSubrange(
                index...(index + 1),
                with: [.replace(with: file, at: target, nil), .remove(source, version)]
            )
            try Journal(of: root).write(self, isDurable: true, for: source)
            return try steps[index].perform(in: root)
        }
    }
}

extension PendingChange.Step {
    /// What became of a step.
    enum Outcome {
        /// It was made now.
        case made
        /// It had been made before.
        case wasMade
        /// Somebody changed the file meanwhile, and so it stays as it is.
        case overtaken
        /// A folder stays, because there is something in it by now, or a file system is mounted there.
        case kept
    }

    /// Makes the step, unless it was made before, or something else happened to its file.
    func perform(in root: ConfinedFolder) throws(Errno) -> Outcome {
        switch self {
        case .replace(let source, let target, let version):
            let (new, old) = (try root.locateItself(source), try root.locateItself(target))
            guard try new.status() != nil else { return .wasMade }
            guard try old.status().map(PendingChange.Version.init) == version else { return .overtaken }
            try new.rename(to: old, replacing: version != nil)
            try old.synchronizeFolder()
        case .rename(let source, let target, let version, let other):
            let (old, new) = (try root.locateItself(source), try root.locateItself(target))
            guard let status = try old.status() else { return .wasMade }
            guard PendingChange.Version(status) == version,
                try new.status().map(PendingChange.Version.init) == other
            else { return .overtaken }
            try old.rename(to: new, replacing: other != nil || status.kind == .folder)
            try new.synchronizeFolder()
            try old.synchronizeFolder()
        case .remove(let path, let version):
            let place = try root.locateItself(path)
            guard let status = try place.status() else { return .wasMade }
            guard PendingChange.Version(status) == version else { return .overtaken }
            do throws(Errno) {
                try status.kind == .folder ? place.removeFolder() : place.remove()
            } catch {
                guard status.kind == .folder, error.isInUse else { throw error }
                return .kept
            }
            try place.synchronizeFolder()
        }
        return .made
    }
}

extension ConfinedFolder {
    /// The place at a path that had no link on the way when it was written down.
    func locateItself(_ path: Path) throws(Errno) -> Location {
        try locate(path, followingLast: false)
    }
}

extension Errno {
    /// Whether a step can never be made, because its place is gone or taken by something of another kind.
    fileprivate var isOfPlaceThatIsGone: Bool {
        isNoSuchFile || isExisting || leavesFolder || crossesFileSystems || code == Errno.isAFolderCode
    }
}

extension PendingChange.Step {
    /// The file that it is about.
    var path: Path {
        switch self {
        case .replace(_, let target, _): target
        case .rename(let source, _, _, _): source
        case .remove(let path, _): path
        }
    }

    /// Whether it puts something at a place, and does not only remove.
    var puts: Bool {
        if case .remove = self { false } else { true }
    }

    /// The complete new file that it puts in its place.
    var newFile: Path? {
        if case .replace(let file, _, _) = self { file } else { nil }
    }
}

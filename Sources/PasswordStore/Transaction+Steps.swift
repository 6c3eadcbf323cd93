internal import SecretMemory
internal import Unix

extension Transaction.Entry {
    var filePath: Path { path.withSuffix(".gpg") }
}

extension Transaction.Edit {
    /// The entry that is there already.
    var entry: Transaction.Entry? {
        switch self {
        case .create: nil
        case .replace(let entry, _), .move(let entry, _, _), .remove(let entry): entry
        }
    }

    /// The file that gets new contents.
    var written: Path? {
        switch self {
        case .create(let path, _), .move(_, let path, _): path.withSuffix(".gpg")
        case .replace(let entry, _): entry.filePath
        case .remove: nil
        }
    }

    var contents: SecretBytes? {
        switch self {
        case .create(_, let contents), .replace(_, let contents), .move(_, _, let contents): contents
        case .remove: nil
        }
    }

    /// The file that git does not know yet.
    var added: Path? {
        switch self {
        case .create, .move: written
        case .replace, .remove: nil
        }
    }

    /// The file that nothing is any more.
    var vacatedFile: Path? {
        switch self {
        case .create, .replace: nil
        case .move(let entry, _, _), .remove(let entry): entry.filePath
        }
    }
}

extension [Transaction.Edit] {
    /// Whether one step does it all.
    var isOfOneFile: Bool {
        guard count == 1, case .move = self[0] else { return count <= 1 }
        return false
    }

    /// What is to be done once the new contents lie at `temporaries`, in the order of the edits that have some.
    func steps(_ temporaries: [Path]) -> [PendingChange.Step] {
        var rest = temporaries[...]
        return flatMap { edit -> [PendingChange.Step] in
            let version = edit.entry.map { PendingChange.Version($0.version) }
            switch (edit, version) {
            case (.remove(let entry), let version?): return [.remove(entry.filePath, version)]
            case (.move(let entry, let path, _), let version?):
                guard let temporary = rest.popFirst() else { return [] }
                let target = path.withSuffix(".gpg")
                // The new contents replace the old ones at their new place: a reader finds one or the other.
                return [
                    .rename(entry.filePath, to: target, version, over: nil),
                    .replace(with: temporary, at: target, version),
                ]
            case (_, let version):
                guard let temporary = rest.popFirst(), let path = edit.written else { return [] }
                return [.replace(with: temporary, at: path, version)]
            }
        }
    }
}

extension PendingChange.Step {
    /// The error for a step that somebody else was faster than.
    var overtakenError: StoreError {
        let (place, isNew) =
            switch self {
            case .replace(_, let path, let version): (path, version == nil)
            case .rename(let source, _, _, _): (source, false)
            case .remove(let path, _): (path, false)
            }
        guard let name = try? EntryName(place.withoutSuffix(".gpg").bytes) else {
            return .file(Errno.noSuchFile(place))
        }
        return isNew ? .entryExists(name) : .changedMeanwhile(name)
    }
}

internal import Unix

extension History {
    /// The file that lists a repository's submodules.
    static let modulesFile: Path = ".gitmodules"

    /// The submodules among paths, and below them; all below the store's root.
    ///
    /// Git removes the sections of those that are gone from `.gitmodules` when it forgets them, which then belongs to
    /// the commit.
    func submodules(at paths: [Path]) throws(Errno) -> [Path] {
        guard !paths.isEmpty,
            try root.locate(prefix.appending(History.modulesFile), followingLast: false).status()?.kind
                == .file,
            let output = try run(["ls-files", "--stage", "-z", "--"], on: paths)
        else { return [] }
        // A mode, an ID, a stage, a tab, a path.
        return output.split(separator: 0).compactMap { record in
            guard record.starts(with: "160000 ".utf8), let tab = record.firstIndex(of: UInt8(ascii: "\t"))
            else { return nil }
            return prefix.appending(Path(Array(record[(tab + 1)...])))
        }
    }
}

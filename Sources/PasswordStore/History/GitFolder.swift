internal import Unix

/// Where git keeps a repository: the folder that `.git` is, or that it leads to.
struct GitFolder: Sendable {
    /// What belongs to this work tree alone: its index and `HEAD`.
    let path: Path
    /// What all work trees of the repository share: configuration, hooks, objects.
    let common: Path

    /// Finds the folder of the repository at `top`, which may not exist.
    ///
    /// `.git` is a folder, a link to one, or a file that names one, as in a submodule. Nothing that is pulled can be
    /// any of these, as git writes no such name. Source: `gitrepository-layout(5)`.
    init(of top: Path) {
        let git = top.appending(".git")
        let named = GitFolder.text(of: git, prefix: "gitdir: ")
        path = named.map { $0.isAbsolute ? $0 : top.appending($0) } ?? git
        let shared = GitFolder.text(of: path.appending("commondir"))
        common = shared.map { [path] in $0.isAbsolute ? $0 : path.appending($0) } ?? path
    }

    /// Where git keeps the repositories of submodules, those of submodules in them included.
    var modules: [GitFolder] { GitFolder.repositories(in: common.appending("modules")) }

    private init(ofModule path: Path) {
        self.path = path
        common = path
    }

    /// The name of a submodule may hold slashes, and each part of it is a folder.
    private static func repositories(in folder: Path) -> [GitFolder] {
        let names = (try? ConfinedFolder(folder).names()) ?? []
        return names.flatMap { name in
            let module = GitFolder(ofModule: folder.appending(Path(name)))
            return module.has("HEAD") ? [module] + module.modules : repositories(in: module.path)
        }
    }

    /// The one path in a small file; `nil` when there is no such file.
    private static func text(of file: Path, prefix: String = "") -> Path? {
        guard let text = try? readFile(file, limit: 16 * 1024), text.starts(with: prefix.utf8) else {
            return nil
        }
        let newlines: [UInt8] = [0x0A, 0x0D]
        let end = text.lastIndex { !newlines.contains($0) } ?? -1
        let line = text[...end].dropFirst(prefix.utf8.count)
        return line.isEmpty ? nil : Path(checking: Array(line))
    }

    /// Whether there is a file of this name in the work tree's own folder.
    func has(_ name: Path) -> Bool {
        guard let folder = try? ConfinedFolder(path) else { return false }
        return (try? folder.locate(name, followingLast: false).status()) != nil
    }
}

internal import Unix

extension History {
    /// Gives what git made as root to the owner of the repository, who could not use it any more otherwise: a new folder
    /// of objects would be closed to them.
    ///
    /// A repository that lies elsewhere, as that of a worktree, is left as git leaves it.
    func give(_ files: NewFiles?, in root: ConfinedFolder) {
        files?.giveToOwner(ofFolder: prefix.appending(".git"), in: root)
    }
}

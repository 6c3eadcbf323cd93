internal import SecretMemory
internal import Unix

// What git would find out at length, where a look at its folder or a cheaper git says it as surely.
extension History {
    /// From this size of git's index on, in bytes, a commit of everything staged and the look before it cost less than
    /// a commit of some paths: about 1,500 files, by what they cost among 20 and among 10,000.
    private static let largeIndex = 128 * 1024

    /// Whether a commit of everything staged is one of `paths` alone, as nothing else is staged.
    ///
    /// For a commit of some paths git makes a second index and looks at every file once more. It is not worth asking in
    /// a small repository. What another git stages in the few milliseconds between this and the commit comes along, as
    /// it always does for pass; so it is to be asked right before, and again before another attempt.
    func maySpareSecondIndex(for request: Request) throws(Errno) -> Bool {
        // Of several paths git leaves out unknown ones without a word when it commits everything staged, and those that
        // are not to be in a sparse checkout.
        guard request.paths.count == 1, !request.configuration.mayMention("sparsecheckout"),
            let gitFolder = try? ConfinedFolder(request.gitFolder.path),
            let index = try? gitFolder.locate("index").status(), index.size >= History.largeIndex
        else { return false }
        // In the middle of these git refuses a commit of some paths, while one of everything would end them.
        for name in ["MERGE_HEAD", "CHERRY_PICK_HEAD"] {
            guard (try? gitFolder.locate(Path(name)).status()) == nil else { return false }
        }
        let words = ["diff-index", "--cached", "--name-only", "-z", "--ignore-submodules=none", "HEAD", "--"]
        let staged = try run(words)
        let own = PathSet([relative(request.paths[0])])
        return staged.status == 0 && staged.output.split(separator: 0).allSatisfy(own.covers)
    }

    /// How many of 256 parts of its loose objects git counts, and with how many there it starts to pack them: a 256th
    /// of `gc.auto`, 6,700.
    private static let loose = (folder: Path("objects/17"), most: 26)

    /// The words that keep git from a child of its own which would only find that there is nothing to tidy up.
    ///
    /// Only where git's own limit holds is it known here. Packs, which have a limit too, are made by commands that end
    /// with the same child; hooks, which could run such a command, would inherit the words.
    func sparingMaintenance(_ request: Request) -> [[UInt8]] {
        let isSet = ["[maintenance", "[gc"].contains(where: request.configuration.mayMention)
        let loose = request.gitFolder.common.appending(History.loose.folder)
        let count = (try? ConfinedFolder(loose).names().count) ?? 0
        guard !isSet, !request.mayRunHooks, count <= History.loose.most else { return [] }
        return ["-c", "maintenance.auto=false"].map { Array($0.utf8) }
    }

    /// Whether a commit may run a hook, or another program that may do as it likes with the repository.
    static func mayRunHooks(_ gitFolder: GitFolder, _ configuration: GitConfiguration) -> Bool {
        if ["hookspath", "[hook"].contains(where: configuration.mayMention) { return true }
        do throws(Errno) {
            let names = try ConfinedFolder(gitFolder.common.appending("hooks")).names()
            return !names.allSatisfy { $0.hasSuffix(Array(".sample".utf8)) }
        } catch {
            return !error.isNoSuchFile
        }
    }
}

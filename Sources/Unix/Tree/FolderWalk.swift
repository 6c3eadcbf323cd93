internal import Glibc

/// How to read what lies below a folder.
public struct FolderWalk: Sendable {
    /// The order of the names in each folder.
    public var order = TextLocale.posix
    /// Whether names that start with a dot are read too.
    public var includesHidden = false
    /// Names that are left out wherever they stand, with all that is in them.
    public var skippedNames: [[UInt8]] = []
    /// Whether a link to a folder is followed, as long as that folder lies in the root and was not seen before.
    public var followsLinks = false
    /// Whether the permissions of files are read, which costs a call for each.
    public var readsPermissions = false
    /// How many folders may lie in each other.
    ///
    /// A path that names more than these is too long for the kernel.
    public var maximumDepth = Int(PATH_MAX) / 2

    /// Makes a walk that reads what is not hidden, follows no links and sorts by bytes.
    public init() {}

    /// Reads the folder at `folder` in `root`, and never anything that does not lie in `root`.
    ///
    /// What cannot be read below it is marked in the tree, and the rest is read all the same. The number of folders
    /// that are held open is bounded, however deep they lie.
    ///
    /// - Throws: ``Errno`` when `folder` itself cannot be opened or read, or is not in `root`.
    package func read(_ folder: Path, in root: ConfinedFolder) throws(Errno) -> FolderTree {
        try start(folder, in: root).finish()
    }

    /// Reads as ``read(_:in:)`` does, and leaves the permissions of files for later.
    package func start(_ folder: Path, in root: ConfinedFolder) throws(Errno) -> UnfinishedTree {
        let descriptor = try root.openFolder(folder)
        var reading = FolderReading(self)
        do throws(FolderReading.Failure) {
            try reading.start(descriptor, in: root.descriptor)
        } catch {
            throw Errno(.list, folder, code: error.code)
        }
        reading.run()
        let tree = FolderTree(nodes: reading.nodes, text: reading.text)
        return UnfinishedTree(tree: tree, permissionReader: reading.permissionReader)
    }
}

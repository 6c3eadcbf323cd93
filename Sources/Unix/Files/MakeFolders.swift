internal import CUnix
internal import Glibc
internal import SecretMemory

/// Makes the folder at an absolute path and those above it that do not exist, with mode 0777 less the umask.
///
/// What root makes belongs to the owner of the folder around it.
///
/// - Returns: the folders that were made, outermost first, each as a beginning of `path`.
/// - Throws: ``Errno``; folders that were made before stay.
@discardableResult
package func makeFolders(at path: Path) throws(Errno) -> [Path] {
    var made: [Path] = []
    let slash = UInt8(ascii: "/")
    for end in path.bytes.indices where path.bytes[end] != slash {
        // A component ends here: at the last byte, or before a slash.
        guard end + 1 == path.bytes.count || path.bytes[end + 1] == slash else { continue }
        let here = Path(Array(path.bytes[...end]))
        if withCString(here.bytes, { mkdir($0, 0o777) }) == 0 {
            made.append(here)
            giveToOwnerOfFolder(here)
            continue
        }
        let code = errno
        var status = stat()
        guard withCString(here.bytes, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Errno(.makeFolder, here, code: code)
        }
    }
    return made
}

/// Gives what root has just made at a path to the owner of the folder around it.
func giveToOwnerOfFolder(_ path: Path) {
    let around: Path = path.parent.isEmpty ? (path.isAbsolute ? "/" : ".") : path.parent
    // Where the folder around it cannot be opened, the new one stays root's.
    guard geteuid() == 0, let parent = try? openFolderFile(AT_FDCWD, around.bytes, showing: path)
    else { return }
    withCString(path.lastComponent) { cunix_give_to_owner_of_folder(parent.number, $0) }
}

/// Whether there is a link at an absolute path, wherever it leads.
package func hasLink(at path: Path) -> Bool {
    var status = stat()
    return withCString(path.bytes) { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Removes folders that ``makeFolders(at:)`` made, innermost first, for as long as they are empty.
package func removeEmptyFolders(_ folders: [Path]) {
    for folder in folders.reversed() where withCString(folder.bytes, { rmdir($0) }) != 0 { return }
}

internal import CUnix
internal import Glibc
internal import SecretMemory
internal import Synchronization

/// A folder that is held open, and whatever lies below it.
///
/// Every look-up starts at the open folder and ends below it. Links inside are followed; a link that leads out is an
/// error (``Errno/leavesFolder``) at the time of the open, so that nobody can plant one between a check and a use.
package final class ConfinedFolder: Sendable {
    let descriptor: FileDescriptor

    /// The folder as the caller named it, for messages.
    package let path: Path

    /// The folder's own place, without links.
    ///
    /// Absolute links below it are compared with it.
    private let realComponents: [ArraySlice<UInt8>]

    /// How many lenders wait for the change that this folder was opened for; see ``tryTurn(atDepth:)``.
    let turnDepth = Atomic(0)

    /// Names that no link may lead to or through.
    private let namesWithoutLinks: Set<[UInt8]>

    /// Opens the folder at `path`; it may itself be reached through links.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - namesWithoutLinks: names, in lower case, that no link below it may lead to or through, as if they lay
    ///     outside; in upper case neither.
    /// - Throws: ``Errno`` when it cannot be opened.
    package init(_ path: Path, namesWithoutLinks: Set<[UInt8]> = []) throws(Errno) {
        self.namesWithoutLinks = namesWithoutLinks
        descriptor = try openFolderFile(AT_FDCWD, path.bytes, showing: path)
        self.path = path
        guard let real = withCString(path.bytes, { realpath($0, nil) }) else { throw Errno(.open, path) }
        realComponents = Path(taking: real).components
    }

    /// Finds the place that `relative` names: an open folder, and a name in it which need not exist.
    ///
    /// Links in the folders on the way are followed. `followingLast` says whether a link at the end is followed too.
    package func locate(_ relative: Path, followingLast: Bool = true) throws(Errno) -> Location {
        let components = relative.components.map(Array.init)
        if let last = components.last, !components.contains(where: ConfinedFolder.isDots) {
            if let folder = try openDirectly(Path(components: components.dropLast())) {
                let real = Path(components: components)
                let location = Location(folder: folder, name: last, path: relative, realPath: real)
                guard followingLast, try location.status()?.kind == .link else { return location }
            }
        }
        return try walk(relative, followingLast: followingLast)
    }

    /// Whether a component is `.` or `..`, after which a path is not yet the one without detours.
    private static func isDots(_ component: [UInt8]) -> Bool {
        component == Array(".".utf8) || component == Array("..".utf8)
    }

    /// The folder at `relative` itself, which must exist.
    package func openFolder(_ relative: Path) throws(Errno) -> FileDescriptor {
        if let folder = try openDirectly(relative) { return folder }
        let location = try walk(relative, followingLast: true)
        return try location.openAsFolder()
    }

    /// Opens a folder in one call where no link is on the way; `nil` when a link is, or the kernel lacks the call.
    private func openDirectly(_ relative: Path) throws(Errno) -> FileDescriptor? {
        let name: Path = relative.isEmpty ? "." : Path(components: relative.components)
        let number = withCString(name.bytes) {
            cunix_open_beneath(descriptor.number, $0, O_RDONLY | O_DIRECTORY)
        }
        if number >= 0 { return FileDescriptor(owning: number) }
        switch errno {
        case ELOOP, EXDEV, ENOSYS, EPERM, EAGAIN, ENOTDIR: return nil
        default: throw Errno(.open, relative)
        }
    }

    /// Follows `relative` name by name, with every folder on the way held open.
    private func walk(_ relative: Path, followingLast: Bool) throws(Errno) -> Location {
        var folders = [descriptor]
        var names: [[UInt8]] = []
        var rest = relative.components.map(Array.init)
        var linksLeft = 40
        while let name = rest.first {
            rest.removeFirst()
            if name == Array(".".utf8) { continue }
            if name == Array("..".utf8) {
                guard folders.count > 1 else { throw Errno(.resolve, relative, code: EXDEV) }
                folders.removeLast()
                names.removeLast()
                continue
            }
            let here = location(folders[folders.count - 1], names, name, shown: relative)
            let kind = try here.status()?.kind
            if kind == .link, followingLast || !rest.isEmpty {
                linksLeft -= 1
                guard linksLeft > 0 else { throw Errno(.resolve, relative, code: ELOOP) }
                let target = try allowedTarget(of: here)
                if target.isAbsolute {
                    rest = try inside(target, relative) + rest
                    folders = [descriptor]
                    names = []
                } else {
                    rest = target.components.map(Array.init) + rest
                }
            } else if rest.isEmpty {
                return here
            } else {
                folders.append(try here.openAsFolder())
                names.append(name)
            }
        }
        // It ended in `.`, `..`, or at the folder itself.
        guard let last = names.popLast() else {
            return Location(folder: descriptor, name: Array(".".utf8), path: relative, realPath: Path([]))
        }
        return location(folders[folders.count - 2], names, last, shown: relative)
    }

    /// Where a link leads to, which must be no place that is closed to links.
    private func allowedTarget(of link: Location) throws(Errno) -> Path {
        let target = try link.linkTarget()
        guard !target.components.contains(where: { namesWithoutLinks.contains($0.map(\.lowercased)) }) else {
            throw Errno(.resolve, link.path, code: EXDEV)
        }
        return target
    }

    private func location(
        _ folder: FileDescriptor,
        _ names: [[UInt8]],
        _ name: [UInt8],
        shown: Path
    ) -> Location {
        Location(folder: folder, name: name, path: shown, realPath: Path(components: names + [name]))
    }

    /// What is left of an absolute link's target below this folder.
    ///
    /// The target may spell the way to this folder differently, for instance through a link to it. What follows the
    /// folder itself is then walked like any other path, and so cannot lead out.
    private func inside(_ target: Path, _ shown: Path) throws(Errno) -> [[UInt8]] {
        let components = target.components.map(Array.init)
        if components.starts(with: realComponents.map(Array.init)) {
            return Array(components.dropFirst(realComponents.count))
        }
        for count in components.indices {
            let prefix = Path("/").appending(Path(components: components[...count]))
            if isSame(prefix) { return Array(components[(count + 1)...]) }
        }
        throw Errno(.resolve, shown, code: EXDEV)
    }

    /// Whether an absolute path leads to this folder itself.
    private func isSame(_ path: Path) -> Bool {
        var here = stat()
        var there = stat()
        return fstat(descriptor.number, &here) == 0
            && withCString(path.bytes) { stat($0, &there) } == 0
            && here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }

    /// Makes the folder at `relative` and those above it that do not exist.
    ///
    /// - Parameters:
    ///   - relative: the innermost folder.
    ///   - mode: their permission bits, less the umask.
    /// - Returns: the folders that were made, outermost first.
    /// - Throws: ``Errno``; folders that were made before stay.
    @discardableResult
    package func makeFolders(_ relative: Path, mode: UInt32 = 0o777) throws(Errno) -> [Path] {
        var made: [Path] = []
        var here = Path([])
        for component in relative.components {
            here = here.appending(Path(Array(component)))
            let location = try locate(here)
            if try location.status() == nil {
                do throws(Errno) {
                    try location.makeFolder(mode: mode)
                    made.append(here)
                    continue
                } catch  where error.isExisting {
                    // Somebody else was quicker.
                }
            }
            guard try locate(here).status()?.kind == .folder else {
                throw Errno(.makeFolder, here, code: ENOTDIR)
            }
        }
        return made
    }

    /// Removes the folder at `relative`, and then each one above it, for as long as they are empty.
    ///
    /// Never removes this folder itself, nor any above `outermost` where that is given.
    package func removeEmptyFolders(from relative: Path, upTo outermost: Path = Path([])) {
        var here = relative
        while here.components.count >= max(1, outermost.components.count) {
            guard let location = try? locate(here, followingLast: false),
                (try? location.removeFolder()) != nil
            else { return }  // the first folder that is in use ends it, as with `rmdir -p`
            here = Path(components: here.components.dropLast())
        }
    }
}

extension ConfinedFolder {
    /// Fails unless this user may make files in the folder itself.
    ///
    /// Calls `access`.
    package func checkWritable() throws(Errno) {
        guard withCString(path.bytes, { access($0, W_OK) }) == 0 else { throw Errno(.write, path) }
    }
}

func openFolderFile(_ at: Int32, _ name: [UInt8], showing path: Path) throws(Errno) -> FileDescriptor {
    let number = withCString(name) { cunix_openat(at, $0, O_RDONLY | O_DIRECTORY, 0) }
    guard number >= 0 else { throw Errno(.open, path) }
    return FileDescriptor(owning: number)
}

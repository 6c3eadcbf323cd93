internal import CUnix
internal import Glibc

extension ConfinedFolder {
    /// One name below a folder, hidden ones included.
    public struct Item: Sendable {
        /// Where it is; its path is below this confined folder.
        public let place: Location
        /// Whether it is a folder, and not a link to one.
        public let isFolder: Bool
        /// Whether it is a link.
        public let isLink: Bool
    }

    /// Everything below the folder at `top`, each folder before what is in it, names sorted; no link is entered.
    ///
    /// It does not recurse, so that depth costs memory only.
    ///
    /// - Parameters:
    ///   - top: the folder.
    ///   - skipped: names that are left out wherever they stand, with all that is below them.
    /// - Returns: everything, in that order.
    /// - Throws: ``Errno`` when a folder cannot be read.
    public func contents(below top: Location, skipping skipped: [[UInt8]] = []) throws(Errno) -> [Item] {
        var items: [Item] = []
        var waiting = [(top, try top.openAsFolder())]
        while let (folder, descriptor) = waiting.popLast() {
            let start = items.count
            for name in try names(in: descriptor, folder.path) where !skipped.contains(name) {
                let place = Location(
                    folder: descriptor,
                    name: name,
                    path: folder.path.appending(Path(name)),
                    realPath: folder.realPath.appending(Path(name))
                )
                let kind = try place.status()?.kind
                items.append(Item(place: place, isFolder: kind == .folder, isLink: kind == .link))
            }
            for item in items[start...].reversed() where item.isFolder {
                waiting.append((item.place, try item.place.openAsFolder()))
            }
        }
        return items
    }

    private func names(in folder: FileDescriptor, _ path: Path) throws(Errno) -> [[UInt8]] {
        let copy = cunix_openat(folder.number, ".", O_RDONLY | O_DIRECTORY, 0)
        guard copy >= 0, let stream = fdopendir(copy) else { throw Errno(.list, path) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let length = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { strlen($0) }
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix(length)) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

internal import CUnix
internal import Glibc
internal import SecretMemory

/// The files that a program makes as root, from some time on, in a folder of another user's.
package struct NewFiles: Sendable {
    private let since: UInt64

    /// Begins now; `nil` unless this process is root's.
    package init?() {
        guard geteuid() == 0 else { return nil }
        // The time of a file may be a few milliseconds behind the clock, and so in the second before.
        since = WallClock.seconds() - min(1, WallClock.seconds())
    }

    /// Gives what is root's and was made below a folder, and the folder itself if it is new, to the owner of the
    /// folder, or, if that is root, of the one around it.
    ///
    /// Files that have a second name are left out: they may be anybody's. Nothing happens where root owns both
    /// folders. What cannot be given away stays root's.
    package func giveToOwner(ofFolder path: Path, in root: ConfinedFolder) {
        let around: Path = path.parent.isEmpty ? "." : path.parent
        guard let own = try? root.locate(path, followingLast: false).status(), own.kind == .folder,
            let owner = own.owner != 0 ? own : try? root.locate(around).status(), owner.owner != 0,
            let items = try? root.contents(below: path)
        else { return }
        for path in [path] + items.map(\.path) {
            guard let place = try? root.locate(path, followingLast: false) else { continue }
            withCString(place.name) {
                cunix_give_new_file(place.folder.number, $0, Int64(since), owner.owner, owner.group)
            }
        }
    }
}

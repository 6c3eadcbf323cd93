internal import CUnix
internal import Glibc
internal import SecretMemory

/// New content for a file that is complete and on disk beside it, but not yet in its place.
///
/// ``commit(replacing:)`` puts it there in one step, so that a reader, a crash or a full disk finds the old content or
/// the new one. Without a commit the temporary file goes away with this value, also when a signal ends the process.
package final class AtomicFile {
    private let target: Location
    private let temporary: Location
    private let isDurable: Bool
    private var slot: OpaquePointer?
    private var committed = false

    /// Takes a temporary file that was made just now.
    private init(_ target: Location, _ temporary: Location, _ isDurable: Bool) {
        self.isDurable = isDurable
        self.target = target
        self.temporary = temporary
        slot = withCString(temporary.name) {
            cunix_interruption_register(temporary.folder.number, $0, CUNIX_FILE, nil)
        }
    }

    /// Writes `content` beside `target` and makes it survive a power cut.
    ///
    /// - Parameters:
    ///   - content: all bytes of the file.
    ///   - target: where they will be.
    ///   - temporaryName: what the file is called until it is complete; nothing else may have the name.
    ///   - mode: the permission bits, less the umask. A file that is replaced keeps those that it has, and its group;
    ///     where root replaces it, its owner, too. A new file that root makes belongs to the owner of its folder.
    ///   - isDurable: whether it must survive a power cut; a crash of the process it does.
    ///   - isLeftover: whether something that has the name already is known to be a leftover, and goes.
    /// - Returns: the file, waiting for ``commit(replacing:)``.
    /// - Throws: ``Errno``; `target` is then as it was.
    package static func prepare(
        _ content: [UInt8],
        for target: Location,
        temporaryName: [UInt8],
        mode: UInt32 = 0o666,
        isDurable: Bool = true,
        isLeftover: (FileStatus) -> Bool = { _ in false }
    ) throws(Errno) -> AtomicFile {
        let existing = try target.status()
        let temporary = target.sibling(temporaryName)
        do throws(Errno) {
            if let status = try temporary.status(), isLeftover(status) { try temporary.remove() }
            // Registered before a signal can come in between.
            let (descriptor, file) = try Interruption.held { () throws(Errno) in
                let descriptor = try temporary.createExclusively(mode: mode)
                return (descriptor, AtomicFile(target, temporary, isDurable))
            }
            if let existing, existing.kind == .file {
                // Who owns the file, or shares it by its group, keeps it, where the system lets this user give it to
                // them; only root may choose an owner.
                let owner = geteuid() == 0 ? existing.owner : uid_t.max
                _ = fchown(descriptor.number, owner, existing.group)
                guard fchmod(descriptor.number, existing.mode & 0o777) == 0 else {
                    throw Errno(.write, target.path)
                }
            } else {
                temporary.giveToOwnerOfFolder()
            }
            try descriptor.write(content)
            if isDurable { try descriptor.synchronize(target.path) }
            return file
        } catch {
            throw Errno(.write, target.path, code: error.code)
        }
    }

    deinit {
        if !committed {
            // Best effort: a leftover has a name that no listing shows.
            _ = withCString(temporary.name) { unlinkat(temporary.folder.number, $0, 0) }
        }
        cunix_interruption_unregister(slot)
    }

    /// Leaves the temporary file where it is, for the caller to look after.
    package func detach() { settle() }

    /// Puts the content in its place and makes that survive a power cut.
    ///
    /// - Parameter replacing: whether something that has the name already is replaced.
    /// - Throws: ``Errno/isExisting`` when `replacing` is false and something has the name.
    package func commit(replacing: Bool = true) throws(Errno) {
        try temporary.rename(to: target, replacing: replacing)
        settle()
        if isDurable { try target.synchronizeFolder() }
    }

    private func settle() {
        committed = true
        cunix_interruption_unregister(slot)
        slot = nil
    }
}

internal import CUnix
internal import SecretMemory
internal import Synchronization

/// A file or folder that a signal which ends the process removes first, for as long as this object lives.
///
/// It is known by its device and inode: what has its name by then, and is something else, stays. The folders that may
/// hold something are removed at the program's exit as well: what lives as long as the program does is never released.
package final class RemovalOnSignal: Sendable {
    /// What is to be removed.
    package enum Kind: Sendable {
        /// A file or link.
        case file
        /// A folder with all that is in it by then.
        case folder
        /// The same, with files that have no other name overwritten first.
        case folderOnDisk
        /// A folder that has nothing in it by then.
        case emptyFolder

        fileprivate var number: cunix_kind {
            switch self {
            case .file: CUNIX_FILE
            case .folder: CUNIX_FOLDER
            case .folderOnDisk: CUNIX_FOLDER_ON_DISK
            case .emptyFolder: CUNIX_EMPTY_FOLDER
            }
        }
    }

    /// The address of the entry in the handler's list; 0 for none.
    private let slot: Atomic<UInt>
    private let isCancelled = Atomic(false)

    /// Registers what is at an absolute path now.
    ///
    /// For lack of memory it does nothing.
    ///
    /// - Parameters:
    ///   - path: the file or folder.
    ///   - kind: what it is.
    ///   - record: a file that goes with it, once it is gone.
    package init(_ path: Path, _ kind: Kind = .file, record: Path? = nil) {
        let pointer = withCString(path.bytes) { path in
            withCString(record?.bytes ?? []) { text in
                cunix_interruption_register(-1, path, kind.number, record == nil ? nil : text)
            }
        }
        slot = Atomic(UInt(bitPattern: pointer))
    }

    deinit { cancel() }

    /// Whether it is still to be removed.
    var isActive: Bool { !isCancelled.load(ordering: .relaxed) }

    /// Leaves the file or folder alone from now on.
    ///
    /// - Returns: whether that is new.
    @discardableResult
    package func cancel() -> Bool {
        // Once only: the entry may serve somebody else by then.
        let pointer = slot.exchange(0, ordering: .relaxed)
        cunix_interruption_unregister(OpaquePointer(bitPattern: pointer))
        return !isCancelled.exchange(true, ordering: .relaxed)
    }
}

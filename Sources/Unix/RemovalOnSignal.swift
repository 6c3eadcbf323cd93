internal import CUnix
internal import Synchronization

/// A file or folder that a signal which ends the process removes first, for as long as this object lives.
///
/// The folders that may hold something are removed at the program's exit as well: what lives as long as the program
/// does is never released.
package final class RemovalOnSignal: Sendable {
    /// What is to be removed.
    package enum Kind: Sendable {
        /// A file or link.
        case file
        /// A folder with all that is in it by then.
        case folder
        /// The same, overwritten first.
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

    /// Registers what is at an absolute path.
    ///
    /// For lack of memory it does nothing.
    package init(_ path: Path, _ kind: Kind = .file) {
        let pointer = withCString(path.bytes) { cunix_interruption_register(-1, $0, kind.number) }
        slot = Atomic(UInt(bitPattern: pointer))
    }

    deinit { cancel() }

    /// Leaves the file or folder alone from now on.
    package func cancel() {
        // Once only: the entry may serve somebody else by then.
        let pointer = slot.exchange(0, ordering: .relaxed)
        cunix_interruption_unregister(OpaquePointer(bitPattern: pointer))
    }
}

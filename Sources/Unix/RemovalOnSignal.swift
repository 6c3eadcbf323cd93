internal import CUnix
internal import Synchronization

/// A file or folder that a signal which ends the process removes first, for as long as this object lives.
public final class RemovalOnSignal: Sendable {
    /// The address of the entry in the handler's list; 0 for none.
    private let slot: Atomic<UInt>

    /// Registers the file or folder at an absolute path; a folder goes with all that is in it.
    ///
    /// For lack of memory it does nothing.
    public init(_ path: Path, isFolder: Bool = false) {
        let pointer = withCString(path.bytes) { cunix_interruption_register(-1, $0, isFolder ? 1 : 0) }
        slot = Atomic(UInt(bitPattern: pointer))
    }

    deinit { cancel() }

    /// Leaves the file or folder alone from now on.
    public func cancel() {
        // Once only: the entry may serve somebody else by then.
        let pointer = slot.exchange(0, ordering: .relaxed)
        cunix_interruption_unregister(OpaquePointer(bitPattern: pointer))
    }
}

internal import CUnix

/// A file that a signal which ends the process removes first, for as long as this object lives.
public final class RemovalOnSignal: @unchecked Sendable {
    // Unchecked: the slot is a value that never changes, and its functions may be called on any thread.
    private let slot: OpaquePointer?

    /// Registers the file at an absolute path.
    ///
    /// For lack of memory, or a path of 512 bytes and more, it does nothing.
    public init(_ path: Path) {
        slot = withCString(path.bytes) { cunix_interruption_register(-1, $0) }
    }

    deinit { cunix_interruption_unregister(slot) }
}

internal import CGPGME
internal import Glibc
internal import SecretMemory

/// Collects what GPGME writes in memory that is wiped.
///
/// GPGME's own memory objects leave a copy behind (measured), even with the flag `sensitive`. A write callback with
/// the flag leaves none.
final class DataSink {
    /// The data object to hand to GPGME.
    private(set) var raw: gpgme_data_t?
    private var buffer = SecretBuffer()
    private let limit: Int
    /// Whether GPGME wanted to write more than the limit allows.
    private(set) var isOverfull = false

    /// Never written after initialisation: GPGME keeps its address and only reads it.
    private nonisolated(unsafe) static let callbacks: UnsafeMutablePointer<gpgme_data_cbs> = {
        let table = UnsafeMutablePointer<gpgme_data_cbs>.allocate(capacity: 1)
        table.initialize(to: gpgme_data_cbs(read: nil, write: write, seek: nil, release: nil))
        return table
    }()

    private static let write: gpgme_data_write_cb_t = { handle, bytes, size in
        guard let handle else { return -1 }
        let sink = Unmanaged<DataSink>.fromOpaque(handle).takeUnretainedValue()
        return sink.take(UnsafeRawBufferPointer(start: bytes, count: size))
    }

    /// Calls `gpgme_data_new_from_cbs`.
    ///
    /// - Parameters:
    ///   - limit: how many bytes are taken; a further one ends the operation.
    ///   - operation: what an error belongs to.
    /// - Throws: ``GPGMEError`` when there is no memory.
    init(limit: Int, for operation: GPGMEError.Operation) throws(GPGMEError) {
        self.limit = limit
        // The object outlives the C call because callers hold it with `withExtendedLifetime`.
        let handle = Unmanaged.passUnretained(self).toOpaque()
        try GPGMEError.check(gpgme_data_new_from_cbs(&raw, Self.callbacks, handle), operation)
        try GPGMEError.check(gpgme_data_set_flag(raw, "sensitive", "1"), operation)
    }

    deinit { gpgme_data_release(raw) }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= limit - buffer.count else {
            isOverfull = true
            gpgme_err_set_errno(EFBIG)
            return -1
        }
        buffer.append(contentsOf: bytes)
        return bytes.count
    }

    /// Gives away what was collected; the sink is empty afterwards.
    func finish() -> SecretBytes {
        var result = SecretBuffer()
        swap(&result, &buffer)
        return result.finish()
    }
}

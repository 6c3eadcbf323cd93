internal import CGPGME

/// Bytes that GPGME reads in place; it never owns or copies them.
final class DataSource {
    let raw: gpgme_data_t

    /// Calls `gpgme_data_new_from_mem` without a copy.
    ///
    /// `bytes` must outlive the object: use ``lending(_:to:_:)``.
    private init(_ bytes: UnsafeRawBufferPointer, _ operation: GPGMEError.Operation) throws(GPGMEError) {
        var data: gpgme_data_t?
        // An empty buffer has no address, and GPGME refuses a null pointer.
        var status: gpgme_error_t
        if let start = bytes.baseAddress {
            status = gpgme_data_new_from_mem(&data, start, bytes.count, 0)
        } else {
            status = gpgme_data_new(&data)
        }
        try GPGMEError.check(status, operation)
        guard let data else { preconditionFailure("GPGME reported success without a data object") }
        raw = data
        // Makes GPGME wipe what passes through its own block on the way to the pipe.
        status = gpgme_data_set_flag(raw, "sensitive", "1")
        try GPGMEError.check(status, operation)
    }

    deinit { gpgme_data_release(raw) }

    /// Lends `bytes` to `body` as a data object that is gone before the bytes are.
    static func lending<Result>(
        _ bytes: UnsafeRawBufferPointer,
        to operation: GPGMEError.Operation,
        _ body: (DataSource) throws(GPGMEError) -> Result
    ) throws(GPGMEError) -> Result {
        let source = try DataSource(bytes, operation)
        return try withExtendedLifetime(source) { () throws(GPGMEError) -> Result in try body(source) }
    }

    /// Lends `bytes` to `body` as a data object that is gone before the bytes are.
    static func lending<Result>(
        _ bytes: Span<UInt8>,
        to operation: GPGMEError.Operation,
        _ body: (DataSource) throws(GPGMEError) -> Result
    ) throws(GPGMEError) -> Result {
        try bytes.withUnsafeBytes { (raw) throws(GPGMEError) -> Result in
            try lending(raw, to: operation, body)
        }
    }
}

internal import CGPGME

/// Counts the status lines that GnuPG writes about an operation, and hands them on to whoever wants to see them.
///
/// GPGME's error code alone does not tell a locked key from a damaged message once `quiet` stands in `gpg.conf`.
final class StatusLog {
    private var counts: [String: Int] = [:]
    private let forward: (([UInt8]) -> Void)?

    /// Makes an empty log.
    ///
    /// - Parameter forward: is handed each line, keyword and arguments with a blank between them; nothing is kept.
    init(forward: (([UInt8]) -> Void)?) { self.forward = forward }

    /// How often GnuPG wrote the status `keyword` in the current operation.
    func count(_ keyword: String) -> Int { counts[keyword, default: 0] }

    /// Forgets the last operation.
    func reset() { counts = [:] }

    /// Calls `gpgme_set_status_cb`.
    ///
    /// The owner of the context keeps the log alive. With the flag `full-status` GPGME reports every line.
    func install(in context: gpgme_ctx_t) throws(GPGMEError) {
        try GPGMEError.check(gpgme_set_ctx_flag(context, "full-status", "1"), .start)
        gpgme_set_status_cb(context, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    private static let callback: gpgme_status_cb_t = { hook, keyword, arguments in
        guard let hook, let keyword else { return 0 }
        let log = Unmanaged<StatusLog>.fromOpaque(hook).takeUnretainedValue()
        log.counts[String(cString: keyword), default: 0] += 1
        if let forward = log.forward {
            let rest = bytes(of: arguments)
            forward(bytes(of: keyword) + (rest.isEmpty ? [] : [UInt8(ascii: " ")]) + rest)
        }
        return 0
    }
}

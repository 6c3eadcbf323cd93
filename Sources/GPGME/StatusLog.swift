internal import CGPGME

/// Counts the status lines that GnuPG writes about an operation, and hands them on to whoever wants to see them.
///
/// GPGME's error code alone does not tell a locked key from a damaged message once `quiet` stands in `gpg.conf`.
package final class StatusLog {
    private var counts: [String: Int] = [:]
    private var errors: [(place: [UInt8], code: GPGMEError.Code)] = []
    private let forward: (([UInt8]) -> Void)?

    /// Makes an empty log.
    ///
    /// - Parameter forward: is handed each line, keyword and arguments with a blank between them; nothing is kept.
    init(forward: (([UInt8]) -> Void)?) { self.forward = forward }

    /// How often GnuPG wrote the status `keyword` in the current operation.
    func count(_ keyword: String) -> Int { counts[keyword, default: 0] }

    /// The codes other than success that GnuPG reported with the status `ERROR` for any of `places`, in their order.
    func errors(at places: Set<String>) -> [GPGMEError.Code] {
        errors.filter { places.contains(String(decoding: $0.place, as: UTF8.self)) }.map(\.code)
    }

    /// Forgets the last operation.
    func reset() {
        counts = [:]
        errors = []
    }

    /// Takes one line: its keyword and its arguments.
    func take(_ keyword: String, _ arguments: [UInt8]) {
        counts[keyword, default: 0] += 1
        guard keyword == "ERROR" else { return }
        let words = arguments.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, let number = UInt32(String(decoding: words[1], as: UTF8.self)) else { return }
        // The upper bits say which program the error comes from.
        errors.append((Array(words[0]), GPGMEError.Code(rawValue: number & 0xFFFF)))
    }

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
        let rest = bytes(of: arguments)
        log.take(String(cString: keyword), rest)
        if let forward = log.forward {
            forward(bytes(of: keyword) + (rest.isEmpty ? [] : [UInt8(ascii: " ")]) + rest)
        }
        return 0
    }
}

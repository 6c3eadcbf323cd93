internal import CGPGME

/// Keeps what the status lines that GnuPG writes about an operation tell, and hands them on to a caller that wants them.
///
/// GPGME's error code alone does not tell a locked key from a damaged message once `quiet` stands in `gpg.conf`.
package final class StatusLog {
    /// What they tell of a decryption.
    private(set) var report = DecryptionReport()
    private var errors: [(place: [UInt8], code: GPGMEError.Code)] = []
    private let forward: (([UInt8]) -> Void)?

    private var isHeld = false
    private var held: [[UInt8]] = []

    /// Makes an empty log.
    ///
    /// - Parameter forward: is handed each line, keyword and arguments with a blank between them; nothing is kept.
    init(forward: (([UInt8]) -> Void)?) { self.forward = forward }

    /// How often GnuPG wrote the status `keyword` in the current operation.
    func count(_ keyword: String) -> Int { report.count(keyword) }

    /// The codes other than success that GnuPG reported with the status `ERROR` for any of `places`, in their order.
    func errors(at places: Set<String>) -> [GPGMEError.Code] {
        errors.filter { places.contains(String(decoding: $0.place, as: UTF8.self)) }.map(\.code)
    }

    /// Forgets the last operation.
    func reset() {
        report = DecryptionReport()
        errors = []
    }

    /// Hands no line on before ``release(before:)``.
    func hold() { isHeld = true }

    /// Hands on what was held, as far as the first line of `keyword`, or all of it.
    func release(before keyword: String?) {
        let lines = held.prefix { line in keyword.map { !line.starts(with: $0.utf8) } ?? true }
        (isHeld, held) = (false, [])
        if let forward { lines.forEach(forward) }
    }

    /// Takes one line: its keyword and its arguments.
    func take(_ keyword: String, _ arguments: [UInt8]) {
        report.take(keyword, arguments)
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
        let name = String(cString: keyword)
        // GPGME says with an empty keyword that there are no more, and nothing but our own options asks for a key.
        guard !name.isEmpty, name != "SESSION_KEY" else { return 0 }
        let rest = bytes(of: arguments)
        log.take(name, rest)
        if let forward = log.forward {
            let line = bytes(of: keyword) + (rest.isEmpty ? [] : [UInt8(ascii: " ")]) + rest
            if log.isHeld { log.held.append(line) } else { forward(line) }
        }
        return 0
    }
}

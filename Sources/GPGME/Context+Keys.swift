internal import CGPGME
internal import SecretMemory

extension Context {
    /// The public keys of the keyring that fit any of `patterns`, each once; the network is never asked.
    ///
    /// Starts one `gpg --list-keys`.
    ///
    /// - Parameter patterns: fingerprints, key IDs, user IDs, mail addresses or parts of them. A blank one fits
    ///   nothing, though gpg would take it for every key.
    /// - Returns: the keys in the order of the keyring.
    /// - Throws: ``GPGMEError`` of operation `findKey`. That nothing fits is no error.
    public func keys(matching patterns: [[UInt8]]) throws(GPGMEError) -> [Key] {
        try listKeys(patterns.filter(isPossibleRecipient), isSecret: false)
    }

    /// The same, or with `nil` all keys, with the keygrip of each subkey, which takes GnuPG a little longer.
    package func keysWithGrips(matching patterns: [[UInt8]]?) throws(GPGMEError) -> [Key] {
        listsGrips = true
        defer { listsGrips = false }
        guard let patterns else { return try allKeys() }
        return try keys(matching: patterns)
    }

    /// The keys that fit any of `patterns` and whose secret part is here, or on a card that is known here.
    ///
    /// - Parameter patterns: as for ``keys(matching:)``.
    /// - Returns: the keys in the order of the keyring.
    /// - Throws: ``GPGMEError`` of operation `findKey`, with `noAgent` when the agent that has them cannot be reached.
    ///   That nothing fits is no error.
    public func secretKeys(matching patterns: [[UInt8]]) throws(GPGMEError) -> [Key] {
        try listKeys(patterns.filter(isPossibleRecipient), isSecret: true)
    }

    /// All public keys of the keyring.
    ///
    /// - Throws: ``GPGMEError`` of operation `findKey`.
    public func allKeys() throws(GPGMEError) -> [Key] { try collectKeys([], isSecret: false) }

    private func listKeys(_ patterns: [[UInt8]], isSecret: Bool) throws(GPGMEError) -> [Key] {
        patterns.isEmpty ? [] : try collectKeys(patterns, isSecret: isSecret)
    }

    private func collectKeys(_ patterns: [[UInt8]], isSecret: Bool) throws(GPGMEError) -> [Key] {
        let text = try output(
            of: Self.options + (listsGrips ? ["--with-keygrip"] : [])
                + [isSecret ? "--list-secret-keys" : "--list-keys", "--"],
            patterns,
            for: .findKey
        )
        let listing = KeyListing(text)
        if let failure = listing.failure { throw GPGMEError(.findKey, failure) }
        var seen: Set<Fingerprint> = []
        return listing.keys.filter { seen.insert($0.fingerprint).inserted }
    }

    /// The user's `attribute-fd` would put pictures among the lines.
    private static let options = [
        "--batch", "--no-tty", "--quiet", "--disable-dirmngr", "--charset", "utf8", "--status-fd", "1",
        "--attribute-file", "/dev/null", "--with-colons", "--fixed-list-mode",
    ]

    /// Lends each secret key that fits to `body`, as GPGME has it.
    ///
    /// Calls `gpgme_op_keylist_ext_start`, `_next` and `_end`.
    func forEachSecretKey(
        _ patterns: [[UInt8]],
        _ body: (UnsafeMutablePointer<_gpgme_key>) -> Void
    ) throws(GPGMEError) {
        let mode = gpgme_keylist_mode_t(GPGME_KEYLIST_MODE_LOCAL)
        statusLog.reset()
        var status = gpgme_set_keylist_mode(raw, mode)
        try GPGMEError.check(status, .findKey)
        status = withCStrings(patterns) { gpgme_op_keylist_ext_start(raw, $0, 1, 0) }
        try GPGMEError.check(status, .findKey)
        defer { _ = gpgme_op_keylist_end(raw) }
        while true {
            var next: gpgme_key_t?
            status = gpgme_op_keylist_next(raw, &next)
            // The end of the list is reported as GPG_ERR_EOF.
            if gpgme_err_code(status) == GPG_ERR_EOF { return try checkListing() }
            try GPGMEError.check(status, .findKey)
            guard let key = next else { return }
            body(key)
            gpgme_key_unref(key)
        }
    }

    /// Throws when GnuPG could not look for keys, which GPGME reports as a list that is empty.
    private func checkListing() throws(GPGMEError) {
        let failure = statusLog.errors(at: ["keylist.getkey"]).first { $0 == .noAgent || $0.isSystemError }
        if let failure { throw GPGMEError(.findKey, failure) }
    }
}

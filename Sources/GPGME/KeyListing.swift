internal import SecretMemory

/// The keys in what `gpg --with-colons --list-keys` writes.
///
/// Source: doc/DETAILS of GnuPG, "Format of the colon listings".
struct KeyListing {
    /// The keys, in their order.
    private(set) var keys: [Key] = []
    /// Why there are none, or not all, where gpg said so; that nothing fits is no error.
    private(set) var failure: GPGMEError.Code?

    private var draft = Draft()

    /// What is known of a key whose lines are being read.
    private struct Draft {
        var fields: [[UInt8]] = []
        var fingerprint: Fingerprint?
        var userIDs: [Key.UserID] = []
        var subkeys: [Key.Subkey] = []
    }

    /// Reads a listing among whose lines gpg's status lines may be.
    init(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "[GNUPG:] ".utf8) {
                takeStatus(line)
                continue
            }
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 10 else { continue }
            take(fields.map { Array($0) })
        }
        finish()
    }

    private mutating func take(_ fields: [[UInt8]]) {
        switch String(decoding: fields[0], as: UTF8.self) {
        case "pub", "sec":
            finish()
            draft.fields = fields
            draft.subkeys = [Key.Subkey(fields)]
        case "sub", "ssb":
            if !draft.fields.isEmpty { draft.subkeys.append(Key.Subkey(fields)) }
        case "grp":
            guard let last = draft.subkeys.last else { return }
            draft.subkeys[draft.subkeys.count - 1] = last.with(keygrip: fields[9])
        case "fpr":
            guard let fingerprint = Fingerprint(fields[9]), let last = draft.subkeys.last else { return }
            if draft.subkeys.count == 1 { draft.fingerprint = fingerprint }
            draft.subkeys[draft.subkeys.count - 1] = last.with(fingerprint)
        case "uid": draft.userIDs.append(Key.UserID(fields))
        default: break
        }
    }

    private mutating func finish() {
        defer { draft = Draft() }
        guard let fingerprint = draft.fingerprint else { return }
        let validity = draft.fields[1].first
        // A capital D among the capabilities stands for the whole key.
        let isDisabled = validity == UInt8(ascii: "d") || draft.fields.has(UInt8(ascii: "D"), at: 11)
        keys.append(
            Key(
                fingerprint: fingerprint,
                userIDs: draft.userIDs,
                subkeys: draft.subkeys.map { isDisabled ? $0.disabled : $0 },
                isRevoked: validity == UInt8(ascii: "r"),
                isExpired: validity == UInt8(ascii: "e"),
                isDisabled: isDisabled,
                isInvalid: validity == UInt8(ascii: "i")
            )
        )
    }

    private mutating func takeStatus(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 4, ["ERROR", "FAILURE"].contains(words[1]) else { return }
        // The error source is in the upper bits.
        let code = GPGMEError.Code(rawValue: (UInt32(words[3]) ?? 1) & 0xFFFF)
        guard ![.noPublicKey, .noSecretKey, .noError].contains(code) else { return }
        // A home without a keyring is one of no keys, until gpg looks for them.
        guard code != .noSuchFile || words[2] == "keylist.getkey" else { return }
        failure = failure ?? code
    }
}

extension [[UInt8]] {
    fileprivate func has(_ letter: UInt8, at index: Int) -> Bool {
        indices.contains(index) && self[index].contains(letter)
    }

    fileprivate func number(at index: Int) -> Int64? {
        indices.contains(index) ? Int64(String(decoding: self[index], as: UTF8.self)) : nil
    }
}

extension Key.UserID {
    fileprivate init(_ fields: [[UInt8]]) {
        let escaped = fields[9]
        text = escaped.span.unescaped(mark: "\\x")
        address = text.mailAddress
        let letter = fields[1].first
        validity =
            switch letter {
            case UInt8(ascii: "n"): .never
            case UInt8(ascii: "m"): .marginal
            case UInt8(ascii: "f"): .full
            case UInt8(ascii: "u"): .ultimate
            case UInt8(ascii: "q"): .undefined
            default: .unknown
            }
        isRevoked = letter == UInt8(ascii: "r")
        isInvalid = letter == UInt8(ascii: "i")
    }
}

extension [UInt8] {
    /// The mail address of a user ID, as GnuPG finds it: what is in the first angle brackets, or all of it where there
    /// are none and it looks like an address; empty without one.
    var mailAddress: [UInt8] {
        if let start = firstIndex(of: UInt8(ascii: "<")) {
            return Array(self[(start + 1)...].prefix { $0 != UInt8(ascii: ">") })
        }
        let isAddress = contains(UInt8(ascii: "@")) && !contains(UInt8(ascii: " "))
        return isAddress ? self : []
    }
}

extension Key.Subkey {
    fileprivate init(_ fields: [[UInt8]]) {
        let validity = fields[1].first
        keyID = KeyID(fields[4]) ?? .hidden
        fingerprint = nil
        keygrip = []
        // Of a stub, whose secret part is elsewhere, there is a `#`; of a card its number.
        let isSecret = ["sec", "ssb"].contains(String(decoding: fields[0], as: UTF8.self))
        hasSecret = isSecret && !(fields.count > 14 && fields[14].first == UInt8(ascii: "#"))
        canEncrypt = fields.has(UInt8(ascii: "e"), at: 11)
        canSign = fields.has(UInt8(ascii: "s"), at: 11)
        isRevoked = validity == UInt8(ascii: "r")
        isExpired = validity == UInt8(ascii: "e")
        isDisabled = validity == UInt8(ascii: "d")
        isInvalid = validity == UInt8(ascii: "i")
        created = fields.number(at: 5) ?? 0
        expires = fields.number(at: 6).flatMap { $0 > 0 ? $0 : nil }
    }

    fileprivate func with(_ fingerprint: Fingerprint) -> Key.Subkey {
        copy(fingerprint: fingerprint, keygrip: keygrip, isDisabled: isDisabled)
    }

    fileprivate func with(keygrip: [UInt8]) -> Key.Subkey {
        copy(fingerprint: fingerprint, keygrip: keygrip, isDisabled: isDisabled)
    }

    fileprivate var disabled: Key.Subkey {
        copy(fingerprint: fingerprint, keygrip: keygrip, isDisabled: true)
    }

    private func copy(fingerprint: Fingerprint?, keygrip: [UInt8], isDisabled: Bool) -> Key.Subkey {
        Key.Subkey(
            keyID: keyID,
            fingerprint: fingerprint,
            keygrip: keygrip,
            hasSecret: hasSecret,
            canEncrypt: canEncrypt,
            canSign: canSign,
            isRevoked: isRevoked,
            isExpired: isExpired,
            isDisabled: isDisabled,
            isInvalid: isInvalid,
            created: created,
            expires: expires
        )
    }
}

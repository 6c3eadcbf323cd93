/// OpenPGP packets that are made by hand, to stand inside an encryption.
public enum Packets {
    /// One packet with a header of the new format and a length of four bytes.
    public static func packet(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        let count = body.count
        return [0xC0 | tag, 0xFF] + [24, 16, 8, 0].map { UInt8(count >> $0 & 0xFF) } + body
    }

    /// A literal packet; `format` is `b`, `t`, `u` or another letter.
    public static func literal(_ text: String, format: Character = "b", name: String = "") -> [UInt8] {
        packet(11, literalBody(text, format, name))
    }

    /// The same with a length that is told piece by piece, so that nobody knows it at the beginning.
    public static func literalInPieces(_ text: String) -> [UInt8] {
        let body = literalBody(text, "b", "")
        precondition(body.count >= 512 && body.count < 512 + 192, "one piece of 512 bytes and a short one")
        return [0xCB, 0xE9] + body.prefix(512) + [UInt8(body.count - 512)] + body.dropFirst(512)
    }

    private static func literalBody(_ text: String, _ format: Character, _ name: String) -> [UInt8] {
        let header = [format.asciiValue ?? 0x62, UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0, 0, 0]
        return header + Array(text.utf8)
    }
}

extension TestKeyring {
    /// Encrypts packets as they are, where gpg would make a literal one of a text.
    public func encryptedPackets(
        _ packets: [UInt8],
        to recipient: String,
        _ options: [String] = []
    ) throws -> [UInt8] {
        let options = options + ["--trust-model", "always", "--no-literal", "--compress-algo", "none"]
        return try gpg(options + ["-r", recipient, "--output", "-", "--encrypt"], input: packets).output
    }

    /// What gpg itself makes of a message: its status and its output.
    public func decrypted(_ message: [UInt8]) throws -> ProgramOutcome {
        let options = ["--batch", "--quiet", "--no-tty", "--pinentry-mode", "error"]
        return try run("gpg", options + ["--decrypt"], input: message)
    }

    /// Kinds of packets that a message may hold, by what they are.
    public func innerPackets(for recipient: String) throws -> [String: [UInt8]] {
        let text = Array("secret\n".utf8)
        let sign = ["--compress-algo", "none", "-u", recipient, "--output", "-"]
        let symmetric = ["--pinentry-mode", "loopback", "--passphrase", "x", "--output", "-", "--symmetric"]
        let literal = Packets.literal("secret\n")
        let signed = try gpg(sign + ["--sign"], input: text).output
        guard let place = signed.firstRange(of: Array("secret".utf8))?.lowerBound else { return [:] }
        var forged = signed
        forged[place] ^= 1
        let compressed = try gpg(
            ["--compress-algo", "zip", "-z", "9", "--output", "-", "--store"],
            input: text
        )
        let pieces = Packets.literalInPieces(String(repeating: "x", count: 600))
        let key = try gpg(["--export", recipient]).output
        var kinds: [String: [UInt8]] = [:]
        kinds["literal"] = literal
        kinds["compressed"] = compressed.output
        kinds["signed"] = signed
        kinds["text"] = Packets.literal("a\r\nb\n", format: "t")
        kinds["UTF-8"] = Packets.literal("a\r\nb", format: "u")
        kinds["local"] = Packets.literal("a\r\n", format: "l")
        kinds["named"] = Packets.literal("x", name: "_CONSOLE")
        kinds["in pieces"] = pieces
        kinds["nothing"] = Packets.literal("")
        kinds["behind a marker"] = Packets.packet(10, Array("PGP".utf8)) + literal
        kinds["cut"] = Array(literal.dropLast())
        kinds["two"] = literal + literal
        // gpg takes what follows for a part of the compressed one, and leaves it out.
        kinds["compressed and literal"] = compressed.output + literal
        kinds["empty"] = []
        kinds["no packets"] = text
        kinds["user ID"] = Packets.packet(13, text)
        kinds["forged"] = forged
        kinds["signed and cut"] = Array(signed.dropLast(70))
        kinds["symmetric"] = try gpg(symmetric, input: text).output
        kinds["encrypted"] = try encrypted("secret\n", to: [recipient], ["--output", "-"])
        kinds["key"] = key
        kinds["literal and key"] = literal + key
        kinds["in pieces and key"] = pieces + key
        kinds["literal and signature"] = try literal + gpg(sign + ["--detach-sign"], input: text).output
        return kinds
    }
}

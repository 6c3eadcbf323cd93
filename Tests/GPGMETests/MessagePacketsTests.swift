// swift-format-ignore-file: NeverUseForceTry
import GPGME
import TestSupport
import Testing

@Suite struct MessagePacketsTests {
    static let keyring = try! TestKeyring()
    static let keys = try! (1...5).map { try keyring.makeKey("Key \($0) <key\($0)@example.org>") }
    static let text = String(repeating: "All work and no play makes Jack a dull boy.\n", count: 5000)

    /// What gpg reads in the packets: the key IDs, and the tag of the encrypted data.
    static func oracle(_ message: [UInt8]) throws -> (recipients: [String], tags: [Int]) {
        let listing = try keyring.run(
            "gpg",
            ["--homedir", keyring.home, "--batch", "--list-only", "--list-packets"],
            input: message
        ).text
        let lines = listing.split(separator: "\n")
        let recipients = lines.filter { $0.hasPrefix(":pubkey enc packet") }
            .compactMap { $0.split(separator: "keyid ").last.map(String.init) }
        let tags = lines.filter { $0.hasPrefix("# off=") }
            .compactMap { $0.split(separator: "tag=").last?.split(separator: " ").first.flatMap { Int($0) } }
        return (recipients, tags)
    }

    static let shapes: [[String]] = [
        [], ["--armor"], ["--throw-keyids"], ["--compress-algo", "none"], ["--rfc4880"],
        ["--armor", "--comment", "c: d"],
        ["--rfc2440", "--cipher-algo", "3DES"], ["--emit-version", "--armor"],
        ["--no-armor", "--set-filename", "x"],
        ["--symmetric", "--passphrase", "x", "--pinentry-mode", "loopback"],
    ]

    @Test(arguments: shapes, [0, 1, 180, 2000, 220_000])
    func agreesWithGPG(_ options: [String], length: Int) throws {
        for count in [1, 2, 5] {
            let text = String(Self.text.prefix(length))
            let message = try Self.keyring.encrypted(text, to: Array(Self.keys.prefix(count)), options)
            let expected = try Self.oracle(message)
            let packets = try MessagePackets(bytes: message)
            #expect(packets.recipients.map(\.description) == expected.recipients)
            #expect(expected.recipients.count == count)
            #expect(packets.passphraseCount == expected.tags.count { $0 == 3 })
            #expect(packets.isEncrypted)
            #expect(packets.hasIntegrityProtection == !expected.tags.contains(9))
            #expect(packets.ending == .whole)
        }
    }

    @Test func keepsUnnamedRecipients() throws {
        let readers = ["-R", Self.keys[0], "-r", Self.keys[1]]
        let message = try Self.keyring.gpg(
            ["--trust-model", "always", "-e"] + readers,
            input: [UInt8]("x")
        ).output
        let recipients = try MessagePackets.recipients(of: message.span)
        #expect(recipients.count == 2)
        #expect(recipients.filter { $0 == .hidden }.count == 1)
        #expect(KeyID.hidden.description == "0000000000000000")
    }

    @Test(arguments: [["--store"], ["--sign"], ["--clear-sign"], ["--detach-sign"], ["--sign", "--armor"]])
    func isNotEncrypted(_ options: [String]) throws {
        _ = Self.keys
        let message = try Self.keyring.gpg(options, input: [UInt8]("x")).output
        #expect(throws: MalformedMessage.self) { try MessagePackets.recipients(of: message.span) }
        #expect((try? MessagePackets(bytes: message))?.isEncrypted != true)
    }

    @Test func knowsHowAMessageEnds() throws {
        let message = try Self.keyring.encrypted("x", to: [Self.keys[0]])
        #expect(try MessagePackets(bytes: Array(message.dropLast())).ending == .truncated)
        #expect(try MessagePackets(bytes: message + [0]).ending == .trailingBytes)
        #expect(try MessagePackets(bytes: message + message).ending == .trailingBytes)
        let armor = try Self.keyring.encrypted("x", to: [Self.keys[0]], ["--armor"])
        #expect(try MessagePackets(bytes: armor + [UInt8](" \r\n\n")).ending == .whole)
        #expect(try MessagePackets(bytes: armor + [UInt8]("x")).ending == .trailingBytes)
        #expect(try MessagePackets(bytes: armor + armor).ending == .trailingBytes)
        #expect(try MessagePackets(bytes: [UInt8]("A note.\n\n") + armor).ending == .whole)
    }

    @Test func readsArmourWithOtherLineEnds() throws {
        let armor = try Self.keyring.encrypted("x", to: [Self.keys[0]], ["--armor"])
        let expected = try MessagePackets(bytes: armor)
        let crlf = armor.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        #expect(try MessagePackets(bytes: crlf) == expected)
        let withoutChecksum = armor.split(separator: 0x0A, omittingEmptySubsequences: false)
            .filter { $0.first != UInt8(ascii: "=") }.joined(separator: [0x0A])
        #expect(try MessagePackets(Array(withoutChecksum).span) == expected)
    }
}

/// Shapes that this GnuPG does not write, made by hand from RFC 9580.
@Suite struct PacketShapeTests {
    static let id: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
    static let keyID = KeyID(rawValue: 0x0123_4567_89AB_CDEF)
    static let session = [3] + id + [18, 0xFF]
    static let data: [UInt8] = [1, 0xAA, 0xBB]

    static func old(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [0x80 | tag << 2, UInt8(body.count)] + body }

    static func new(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [0xC0 | tag, UInt8(body.count)] + body }

    @Test(arguments: [
        NamedBytes("old headers", old(1, session) + [0x80 | 9 << 2, 1] + data),
        NamedBytes("a length of two bytes", [0x80 | 1 << 2 | 1, 0, 11] + session + new(18, data)),
        NamedBytes("a length of four bytes", [0x80 | 1 << 2 | 2, 0, 0, 0, 11] + session + new(18, data)),
        NamedBytes("data up to the end", old(1, session) + [0x80 | 9 << 2 | 3] + data),
        NamedBytes("new headers", new(1, session) + new(18, data)),
        NamedBytes("five bytes of length", new(1, session) + [0xC0 | 18, 0xFF, 0, 0, 0, 3] + data),
        NamedBytes("partial lengths", new(1, session) + [0xC0 | 18, 0xE1, 1, 0xAA, 0xE0, 0xBB, 1, 0xCC]),
        NamedBytes("a marker first", new(10, [0x50, 0x47, 0x50]) + new(1, session) + new(18, data)),
        NamedBytes("a session packet of version 2", new(1, [2] + id + [1]) + new(18, data)),
        NamedBytes("GnuPG's authenticated data", new(1, session) + new(20, [1, 9, 2, 16])),
        NamedBytes("authenticated data", new(1, session) + new(18, [2, 9, 2, 16])),
        NamedBytes(
            "version 6 with a key of version 4",
            new(1, [6, 21, 4] + Array(repeating: 0xEE, count: 12) + id + [25]) + new(18, [2, 9])
        ),
        NamedBytes(
            "version 6 with a key of version 6",
            new(1, [6, 33, 6] + id + Array(repeating: 0xEE, count: 24) + [25]) + new(18, [2, 9])
        ),
    ])
    func findsTheRecipient(_ message: NamedBytes) throws {
        let packets = try MessagePackets(bytes: message.bytes)
        #expect(packets.recipients == [Self.keyID])
        #expect(packets.isEncrypted)
    }

    @Test(arguments: [
        NamedBytes("version 6 without a name", [6, 0, 25]), NamedBytes("an unknown version", [9] + id),
        NamedBytes("too short for an ID", [3, 1, 2]), NamedBytes("nothing", []),
        NamedBytes("version 6 that is too short", [6, 21, 4, 1]),
        NamedBytes("a hidden one", [3, 0, 0, 0, 0, 0, 0, 0, 0, 18]),
    ])
    func countsAsUnnamed(_ body: NamedBytes) throws {
        let message = Self.new(1, body.bytes) + Self.new(18, Self.data)
        #expect(try MessagePackets.recipients(of: message.span) == [.hidden])
    }

    @Test func tellsTheProtection() throws {
        let session = Self.new(1, Self.session)
        #expect(
            try MessagePackets(bytes: session + Self.new(9, Self.data)).protection
                == MessagePackets.Protection.none
        )
        #expect(
            try MessagePackets(bytes: session + Self.new(18, Self.data)).protection == .modificationDetection
        )
        #expect(try MessagePackets(bytes: session + Self.new(18, [2])).protection == .authenticated)
        #expect(try MessagePackets(bytes: session + Self.new(20, [1])).protection == .authenticated)
        #expect(try MessagePackets(bytes: session).protection == nil)
    }

    @Test(arguments: [
        NamedBytes("a session packet of partial lengths", [0xC1, 0xE0, 3]),
        NamedBytes("a session packet up to the end", [0x80 | 1 << 2 | 3] + session),
        NamedBytes("a session packet that is cut", new(1, session).dropLast()),
        NamedBytes("a length that is cut", [0xC1, 0xFF, 0, 0]), NamedBytes("a tag alone", [0xC1]),
        NamedBytes("a length beyond all memory", [0xC1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ])
    func refuses(_ message: NamedBytes) {
        #expect(throws: MalformedMessage.self) { try MessagePackets(bytes: message.bytes) }
    }

    @Test(arguments: [
        "-----BEGIN PGP MESSAGE-----\n\n", "-----BEGIN PGP MESSAGE-----\n\n-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\nno header\n\nAAAA\n-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\n\nA*AA\n-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\n\nAA=A\n-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\n\nA\n-----END PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE, PART 1/2-----\n\nAAAA\n", "-----BEGIN PGP SIGNATURE-----\n\nAAAA\n",
    ])
    func refusesArmour(_ text: String) {
        #expect(throws: MalformedMessage.self) { try MessagePackets.recipients(of: [UInt8](text).span) }
    }
}

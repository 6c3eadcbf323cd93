// swift-format-ignore-file: NeverUseForceTry

import Foundation
import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// What stands in a `gpg.conf`, or in `PASSWORD_STORE_GPG_OPTS`, adds no reader and changes no contents.
@Suite struct GPGConfTests {
    private static let ring = try! TestKeyring()
    private static let own = try! ring.makeKey("Own <own@example.org>")
    private static let other = try! ring.makeKey("Other <other@example.org>")
    private static let third = try! ring.makeKey("Third <third@example.org>")

    private let fixture = StoreFixture()
    /// A home of its own with the same keys.
    private let ring: TestKeyring

    init() throws {
        ring = try TestKeyring()
        for key in [Self.own, Self.other, Self.third] {
            let secret = try Self.ring.gpg([
                "--pinentry-mode", "loopback", "--passphrase", "", "--export-secret-keys", key,
            ])
            try ring.gpg(["--import"], input: secret.output)
            try ring.gpg(["--import-ownertrust"], input: Array("\(key):6:\n".utf8))
        }
        try ring.gpg(["--check-trustdb"])
        try ring.gpg(["--output", "\(ring.home)/other.gpg", "--export", Self.other])
        fixture.variables["GNUPGHOME"] = ring.home
    }

    private func configure(_ lines: String) throws {
        try ring.write("no-random-seed-file\n\(lines)\n", to: "gpg.conf")
    }

    private func refuses(_ what: String, _ body: () throws -> Void) throws {
        let before = try fixture.everything()
        do {
            try body()
            Issue.record("\(what) is not refused")
        } catch StoreError.otherRecipients {
        } catch {
            Issue.record("\(what): \(error)")
        }
        #expect(try fixture.everything() == before, "\(what)")
    }

    private func seal() throws -> [UInt8]? { try fixture.store.seal(StoreFixture.bytes("secret")) }

    @Test(arguments: [
        "recipient KEY", "hidden-recipient KEY", "encrypt-to-default-key\ndefault-key KEY",
        "recipient other@example.org",
        "recipient-file HOME/other.gpg", "hidden-recipient-file HOME/other.gpg",
        "throw-keyids\nrecipient KEY",
    ])
    func noReaderIsAdded(_ line: String) throws {
        let line = line.replacing("KEY", with: Self.other).replacing("HOME", with: ring.home)
        let ids = [Self.own, "own@example.org", String(Self.own.suffix(16)), "Own"]
        for id in line.contains("hidden") ? ids : Array(ids.prefix(2)) {
            try configure("")
            try fixture.initialize(id)
            try fixture.initialize(Self.third, in: "third")
            try fixture.insert("x")
            try configure(line)
            try refuses("insert") { try fixture.insert("y") }
            try refuses("update") { _ = try fixture.store.update(EntryName("x"), message: []) { $0.bytes } }
            try refuses("init") { try fixture.initialize(id, in: "new") }
            try refuses("mv") { _ = try fixture.move("x", to: "third/x") }
            try refuses("cp") { _ = try fixture.copy("x", to: "third/x") }
            try refuses("seal") { _ = try seal() }
            try refuses("transaction") {
                let edit = Transaction.Edit.create("z", StoreFixture.bytes("secret"))
                _ = try Transaction(on: fixture.store).commit([edit], message: [])
            }
            try configure("")
            try fixture.initialize(Self.own, Self.other, in: "both")
            try fixture.insert("both/x")
            try configure(line)
            try refuses("init with entries") { try fixture.initialize(id, in: "both") }
        }
    }

    /// Two ids of one key have one packet, and as many packets as ids are one too many.
    @Test(arguments: ["recipient KEY", "throw-keyids\nrecipient KEY", "hidden-recipient KEY"])
    func noReaderTakesThePlaceOfAnIDThatIsDoubled(_ line: String) throws {
        let subkey = String(try ring.fingerprints(of: Self.own)[1].suffix(16)) + "!"
        for ids in [
            [Self.own, String(Self.own.suffix(16))], [Self.own, "own@example.org"], [subkey, Self.own],
            ["Own", subkey], [subkey, "0x" + subkey],
        ] {
            try configure("")
            try fixture.write(ids.joined(separator: "\n"), to: ".gpg-id")
            try fixture.insert("x")
            #expect(try fixture.recipients("x.gpg").count == 1, "\(ids)")
            try configure(line.replacing("KEY", with: Self.other))
            try refuses("insert to \(ids)") { try fixture.insert("y") }
        }
    }

    @Test(arguments: [
        "--recipient KEY", "-r KEY", "--hidden-recipient KEY", "--encrypt-to-default-key --default-key KEY",
    ])
    func optionsAddNoReader(_ options: String) throws {
        try fixture.initialize(Self.own)
        fixture.variables["PASSWORD_STORE_GPG_OPTS"] = options.replacing("KEY", with: Self.other)
        try refuses(options) { try fixture.insert("y") }
    }

    @Test(arguments: [
        "encrypt-to KEY", "hidden-encrypt-to KEY", "default-recipient KEY", "default-key KEY", "throw-keyids",
        "local-user KEY",
        "throw-keyids\nencrypt-to KEY", "trust-model always",
    ])
    func whatAddsNoneIsLetPass(_ line: String) throws {
        try configure(line.replacing("KEY", with: Self.other))
        for ids in [[Self.own], ["own@example.org"], ["Own", Self.other], [Self.own, Self.other]] {
            try fixture.write(ids.joined(separator: "\n"), to: ".gpg-id")
            try fixture.insert("x")
            let message = try fixture.ciphertext("x.gpg")
            #expect(try MessagePackets.recipients(of: message.span).count == ids.count, "\(ids)")
            #expect(try fixture.read("x") == "secret\n")
        }
    }

    @Test(arguments: ["textmode", "rfc2440-text\ntextmode", "set-filesize 2", "mimemode", "set-filename x"])
    func contentsComeBackByteForByte(_ line: String) throws {
        try configure(line)
        try expectContents()
        try configure("")
        fixture.variables["PASSWORD_STORE_GPG_OPTS"] =
            line.split(separator: "\n").map { "--\($0)" }.joined(separator: " ")
        try expectContents()
    }

    private func expectContents() throws {
        for contents in [
            Array("a\r\nb\r\n".utf8), [0, 0xFF, 0x0D, 0x0A, 0x20, 0x0D], Array("no end \t".utf8), [],
        ] {
            let text = SecretBytes(copying: contents.span)
            func expect(_ name: String) throws {
                #expect(try fixture.store.read(EntryName(name)).bytes.isEqual(to: text), "\(name)")
            }
            try fixture.initialize(Self.own)
            try fixture.initialize(Self.other, in: "other")
            _ = try fixture.store.write(text, to: EntryName("x"), message: [])
            try expect("x")
            _ = try fixture.store.update(EntryName("x"), message: []) { $0.bytes }
            try expect("x")
            #expect(try fixture.initialize(Self.own, Self.other).reencryptions.count == 1)
            try expect("x")
            _ = try fixture.move("x", to: "other/y")
            try expect("other/y")
            let sealed = try #require(try fixture.store.seal(text))
            #expect(try fixture.store.unseal(sealed).isEqual(to: text))
            _ = try fixture.store.remove(EntryName("other/y"), message: [])
        }
    }

    @Test(arguments: ["no-literal", "dry-run", "symmetric", "store", "clearsign"])
    func whatCannotBePutBackIsRefused(_ line: String) throws {
        try fixture.initialize(Self.own)
        try configure(line)
        for options in [nil, "--\(line)"] {
            if let options {
                try configure("")
                fixture.variables["PASSWORD_STORE_GPG_OPTS"] = options
            }
            let error = #expect(throws: StoreError.self) { try fixture.insert("x") }
            guard case .noMessage("x.gpg", _) = error else {
                Issue.record("\(line): \(String(describing: error))")
                continue
            }
            #expect(try fixture.paths() == [".gpg-id"])
        }
    }

    /// GPGME gives gpg a descriptor for its log, and gpg then writes lists of keys into its trust database.
    @Test(arguments: [
        "logger-fd 1", "status-fd 1", "attribute-fd 1", "command-fd 0", "logger-fd 2", "logger-fd 3",
        "logger-file HOME/log", "status-file HOME/status", "attribute-file HOME/attributes",
        "output HOME/output",
        "command-file /dev/null", "passphrase-fd 0",
    ])
    func noDescriptorMattersToUs(_ line: String) throws {
        let trust = try readFile(Path(Array("\(ring.home)/trustdb.gpg".utf8)))
        try configure(line.replacing("HOME", with: ring.home))
        fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = Self.own
        for id in [Self.own, "own@example.org", "Own"] {
            try fixture.initialize(id)
            try fixture.insert("x")
            #expect(try fixture.read("x") == "secret\n")
            #expect(try fixture.recipients("x.gpg").count == 1)
        }
        try fixture.initialize("own@example.org", Self.other)
        #expect(try fixture.recipients("x.gpg").count == 2)
        #expect(try fixture.store.keyIDs(beginningWith: Array("own".utf8)) == [Array("own@example.org".utf8)])
        #expect(try seal() != nil)
        #expect(try readFile(Path(Array("\(ring.home)/trustdb.gpg".utf8))) == trust)
    }

    @Test func aKeyThatNobodyCertifiedIsRefusedAtOnce() throws {
        let stranger = try TestKeyring()
        let key = try stranger.makeKey("Stranger <stranger@example.org>")
        try ring.gpg(["--import"], input: stranger.gpg(["--export"]).output)
        let expired = try ring.makeKey("Old <old@example.org>", at: 1_500_000_000, expires: "seconds=86400")
        for id in [key, String(key.suffix(16)), "stranger@example.org", "Stranger", expired] {
            #expect(throws: StoreError.self) { try fixture.initialize(id) }
            #expect(throws: StoreError.self) { try fixture.initialize(Self.own, id) }
            #expect(throws: StoreError.self) {
                try fixture.store.previewInitialization(of: EntryName(""), recipients: [Array(id.utf8)])
            }
            #expect(try fixture.paths().isEmpty)
        }
        try fixture.initialize(Self.own)
        #expect(throws: StoreError.self) { try fixture.initialize(key, in: "a/b") }
        #expect(try fixture.paths() == [".gpg-id"])
        for (line, options) in [
            ("trust-model always", nil), ("", "--always-trust"), ("", "--trust-model=always"),
        ] {
            try configure(line)
            fixture.variables["PASSWORD_STORE_GPG_OPTS"] = options
            for id in [key, "stranger@example.org"] {
                try fixture.initialize(id, in: "s")
                try fixture.insert("s/x")
                #expect(
                    try fixture.recipients("s/x.gpg") == [String(ring.fingerprints(of: key)[1].suffix(16))]
                )
            }
        }
    }
}

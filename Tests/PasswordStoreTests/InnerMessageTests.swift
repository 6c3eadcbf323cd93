import Foundation
import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// What is believed to be an entry's contents: the one plaintext of a message for which gpg's own status is 0.
@Suite struct InnerMessageTests {
    /// Everything else is refused.
    private static let shown: Set<String> = [
        "literal", "compressed", "signed", "text", "UTF-8", "local", "named", "in pieces", "nothing",
        "behind a marker", "compressed and literal",
    ]

    private let gpg = FalseGPG()

    /// A way to a session key: gpg alone, GPGME, and both with options of the user.
    private struct Way {
        let name: String
        let gpg = FalseGPG()
        let store: Store

        init(_ name: String, _ commands: String, _ variables: [String: String] = [:]) throws {
            self.name = name
            store = Store(try gpg.settings(commands, variables))
        }
    }

    private func ways() throws -> [Way] {
        let real = "exec /usr/bin/gpg \"$@\""
        let locked = """
            case "$*" in *override-session-key-fd*) ;; *"--pinentry-mode error"*) exit 2 ;; esac
            \(real)
            """
        let options = ["PASSWORD_STORE_GPG_OPTS": "--no-greeting"]
        return try [
            Way("gpg", real), Way("GPGME", locked), Way("options", real, options),
            Way("both", locked, options),
        ]
    }

    @Test func onlyWhatGPGGivesWithStatus0IsShown() throws {
        let ways = try ways()
        for (name, packets) in try Keys.ring.innerPackets(for: Keys.alice) {
            let message = try Keys.ring.encryptedPackets(packets, to: Keys.alice)
            let own = try Keys.ring.decrypted(message)
            for way in ways {
                let found = Result { () throws(StoreError) in
                    try way.store.decrypt(message, at: "x.gpg").bytes
                }
                switch found {
                case .success(let text):
                    #expect(Self.shown.contains(name) && own.status == 0, "\(name) by \(way.name)")
                    let bytes = text.withBytes { bytes in bytes.indices.map { bytes[$0] } }
                    #expect(bytes == own.output, "\(name) by \(way.name)")
                case .failure(let error):
                    #expect(!Self.shown.contains(name), "\(name) by \(way.name): \(error)")
                    guard case .decryption("x.gpg", _) = error else {
                        Issue.record("\(name) by \(way.name): \(error)")
                        continue
                    }
                }
            }
        }
    }

    /// The one who wrote the message knows the passphrase; the user who reads it may not be asked for it, nor for that of
    /// another key.
    @Test func nothingInsideAsksForAnything() throws {
        let ring = try TestKeyring()
        let outer = try ring.makeKey("Outer <outer@example.org>", passphrase: "outer")
        let inner = try ring.makeKey("Inner <inner@example.org>", passphrase: "inner")
        let log = "\(ring.home)/asked"
        let script = """
            #!/bin/bash
            echo OK hello
            while read -r word rest; do
                case $word in
                SETDESC) echo "$rest" >> \(log); echo OK ;;
                GETPIN) echo "D outer"; echo OK ;;
                BYE) echo OK; exit ;;
                *) echo OK ;;
                esac
            done
            """
        let pinentry = "\(ring.home)/pinentry"
        try writeFile(Data(script.utf8), to: URL(filePath: pinentry), mode: 0o700)
        try ring.write("pinentry-program \(pinentry)\n", to: "gpg-agent.conf")
        let symmetric = [
            "--pinentry-mode", "loopback", "--passphrase", "outer", "--output", "-", "--symmetric",
        ]
        for packets in [
            try ring.gpg(symmetric, input: Array("secret".utf8)).output,
            try ring.encrypted("secret", to: [inner], ["--output", "-"]),
            Packets.literal("secret"),
        ] {
            let message = try ring.encryptedPackets(packets, to: outer)
            _ = try ring.run("gpgconf", ["--homedir", ring.home, "--kill", "gpg-agent"])
            try? FileManager.default.removeItem(atPath: log)
            let settings = try gpg.settings("exec /usr/bin/gpg \"$@\"", ["GNUPGHOME": ring.home])
            let found = Result { () throws(StoreError) in try Store(settings).decrypt(message, at: "x.gpg") }
            #expect((try? found.get()) != nil || packets != Packets.literal("secret"), "\(found)")
            if packets != Packets.literal("secret") { #expect((try? found.get()) == nil) }
            let asked = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            #expect(asked.count == 1 && asked[0].contains("outer@example.org"), "\(asked)")
        }
    }

    /// gpg tries one after the other, and ends with status 2 when the first one does not fit.
    @Test func aMessageThatHidesItsReadersIsShown() throws {
        let ring = try TestKeyring()
        let keys = try ["Alice <alice@example.org>", "Bob <bob@example.org>"].map { try ring.makeKey($0) }
        for key in keys {
            let message = try ring.encrypted("secret", to: [key, key], ["--throw-keyids"])
            let settings = try gpg.settings("exec /usr/bin/gpg \"$@\"", ["GNUPGHOME": ring.home])
            let text = try Store(settings).decrypt(message, at: "x.gpg").bytes
            #expect(text.isEqual(to: StoreFixture.bytes("secret")))
        }
        for packets in [
            Array(Packets.literal("secret").dropLast()), Packets.literal("a") + Packets.literal("b"),
        ] {
            let message = try ring.encryptedPackets(packets, to: keys[1], ["--throw-keyids"])
            let settings = try gpg.settings("exec /usr/bin/gpg \"$@\"", ["GNUPGHOME": ring.home])
            #expect(throws: StoreError.self) { try Store(settings).decrypt(message, at: "x.gpg") }
        }
    }

    /// gpg writes the session key into its log where it is asked for it, and where it is given one.
    @Test(arguments: [[:], ["PASSWORD_STORE_GPG_OPTS": "--no-greeting"]]) func noSessionKeyGetsIntoALog(
        _ variables: [String: String]
    ) throws {
        let ring = try TestKeyring()
        let key = try ring.makeKey("Alice <alice@example.org>")
        let log = "\(ring.home)/log"
        try ring.write("no-random-seed-file\nlogger-file \(log)\nverbose\n", to: "gpg.conf")
        let message = try ring.encrypted("secret", to: [key])
        let locked = """
            case "$*" in *override-session-key-fd*) ;; *"--pinentry-mode error"*) exit 2 ;; esac
            exec /usr/bin/gpg "$@"
            """
        let settings = try gpg.settings(locked, variables.merging(["GNUPGHOME": ring.home]) { $1 })
        let text = try Store(settings).decrypt(message, at: "x.gpg").bytes
        #expect(text.isEqual(to: StoreFixture.bytes("secret")))
        let lines = try String(contentsOfFile: log, encoding: .utf8)
        #expect(!lines.isEmpty && !lines.contains("session key:") && !lines.contains("seskey"), "\(lines)")
    }

    /// gpg gives something else than the contents then, or nothing, and some of it with status 0.
    @Test(arguments: [
        "unwrap", "list-only", "dry-run", "no-such-option", "logger-fd 1", "status-fd 1", "textmode",
    ])
    func gpgConfMakesNoOtherContents(_ line: String) throws {
        let ring = try TestKeyring()
        let key = try ring.makeKey("Alice <alice@example.org>")
        let message = try ring.encryptedPackets(Packets.literal("a\r\nb"), to: key)
        let trust = try Data(contentsOf: URL(filePath: "\(ring.home)/trustdb.gpg"))
        try ring.write("verbose\n\(line)\n", to: "gpg.conf")
        let settings = try gpg.settings("exec /usr/bin/gpg \"$@\"", ["GNUPGHOME": ring.home])
        do throws(StoreError) {
            let text = try Store(settings).decrypt(message, at: "x.gpg").bytes
            #expect(text.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("a\r\nb".utf8))
            #expect(line.contains("fd") || ["no-such-option", "textmode", "dry-run"].contains(line))
        } catch {
            guard case .decryption(_, let reason) = error else { throw error }
            #expect(["unwrap": .badData, "list-only": .general][line] == reason.code)
        }
        #expect(try Data(contentsOf: URL(filePath: "\(ring.home)/trustdb.gpg")) == trust)
    }
}

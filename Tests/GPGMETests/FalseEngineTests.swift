// swift-format-ignore-file: NeverUseForceTry
import Foundation
import GPGME
import SecretMemory
import TestSupport
import Testing

/// What a program in the place of gpg does, and what must come of it.
struct FalseEngine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let commands: String
    let code: GPGMEError.Code

    init(_ name: String, _ commands: String, _ code: GPGMEError.Code) {
        testDescription = name
        self.commands = commands
        self.code = code
    }
}

/// Programs that say too little, in the place of gpg: old ones gave nothing, and status 0, for new encryption.
@Suite struct FalseEngineTests {
    static let keyring = try! TestKeyring()
    static let message = try! keyring.encrypted("secret", to: [keyring.makeKey("Alice <alice@example.org>")])

    @Test(arguments: [
        FalseEngine("says nothing", "exit 0", .general),
        FalseEngine("fails without a word", "exit 2", .general),
        FalseEngine("writes something but no status", "echo secret", .general),
        FalseEngine("writes the plaintext and fails", "echo secret; status DECRYPTION_FAILED", .noPinentry),
        FalseEngine("names no recipient", "echo secret; status DECRYPTION_OKAY", .decryptionFailed),
        FalseEngine("is killed", "kill -9 $$", .general),
    ])
    func isNotBelieved(_ engine: FalseEngine) throws {
        let path = try install(engine.commands, as: UUID().uuidString)
        let context = try Context(EngineOptions(home: [UInt8](Self.keyring.home), program: [UInt8](path)))
        let error = thrown { () throws(GPGMEError) in _ = try context.decrypt(Self.message.span) }
        #expect(error == GPGMEError(.decrypt, engine.code))
        let failure = thrown { () throws(EncryptionFailure) in
            _ = try context.encrypt(SecretBytes("x"), to: [[UInt8]("alice@example.org")])
        }
        #expect(failure != nil)
    }

    /// GPGME waits for ever for a pipe that is full and has no reader.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["exit 2", "sleep 0.2; exit 2", "sleep 0.2; kill -9 $$", "head -c 100; exit 0"]
    )
    func oneThatEndsEarlyKeepsNobodyWaiting(_ commands: String) throws {
        let path = try install(commands, as: UUID().uuidString)
        let context = try Context(EngineOptions(home: [UInt8](Self.keyring.home), program: [UInt8](path)))
        let text = SecretBytes(copying: [UInt8](repeating: 0x61, count: 1 << 20).span)
        let failure = thrown { () throws(EncryptionFailure) in
            _ = try context.encrypt(text, to: [[UInt8]("alice@example.org")])
        }
        #expect(failure?.error == GPGMEError(.encrypt, .badData))
    }

    @Test func aWrapperServesAsProgram() throws {
        let path = try install("exec gpg \"$@\"", as: "wrapper")
        let context = try Context(EngineOptions(home: [UInt8](Self.keyring.home), program: [UInt8](path)))
        #expect(try context.decrypt(Self.message.span).plaintext.exposed == [UInt8]("secret"))
        #expect(try context.groups().isEmpty)
    }

    @Test func gpgIsToldToStayOffTheNetworkAndWhatPassTellsIt() throws {
        let log = Self.keyring.home + "/calls"
        let path = try install("echo \"$*\" >> \(log); exec gpg \"$@\"", as: "noting")
        let context = try Context(EngineOptions(home: [UInt8](Self.keyring.home), program: [UInt8](path)))
        _ = try context.decrypt(Self.message.span)
        _ = try context.encrypt(SecretBytes("x"), to: [[UInt8]("alice@example.org")])
        _ = try context.keys(matching: [[UInt8]("alice@example.org")])
        let signature = try context.signDetached([1], by: [[UInt8]("alice@example.org")])
        _ = try context.verifyDetached(signature, of: [1])
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(calls.count >= 6)
        #expect(calls.allSatisfy { $0.contains("--disable-dirmngr") && $0.contains("--batch") })
        let encryptions = calls.filter { $0.contains("--encrypt") }
        #expect(encryptions.count == 1)
        #expect(encryptions[0].contains("--compress-algo=none") && encryptions[0].contains("--no-encrypt-to"))
        #expect(!encryptions[0].contains("trust"))
    }

    @Test func aMissingProgramIsAnError() throws {
        let options = EngineOptions(home: [UInt8](Self.keyring.home), program: [UInt8]("/nonexistent/gpg"))
        let error = thrown { () throws(GPGMEError) in _ = try Context(options) }
        #expect(error == GPGMEError(.start, .invalidEngine))
    }

    /// Status lines go to the descriptor that stands behind `--status-fd`.
    private func install(_ commands: String, as name: String) throws -> String {
        let script = """
            #!/bin/bash
            case " $* " in *' --version '*) exec gpg --version;; esac
            status() {
                local previous= word
                for word in "${arguments[@]}"; do
                    [ "$previous" = --status-fd ] && echo "[GNUPG:] $1" >&"$word"
                    previous=$word
                done
            }
            arguments=("$@")
            \(commands)
            """
        let path = Self.keyring.home + "/" + name
        try writeFile(Data(script.utf8), to: URL(filePath: path), mode: 0o700)
        return path
    }

    @Test func aHomeOrProgramThatCWouldCutIsRefused() {
        for options in [
            EngineOptions(home: [UInt8](Self.keyring.home) + [0]),
            EngineOptions(program: Array("/usr/bin/gpg\0x".utf8)),
        ] {
            let error = thrown { () throws(GPGMEError) in _ = try Context(options) }
            #expect(error == GPGMEError(.start, .invalidValue))
        }
    }
}

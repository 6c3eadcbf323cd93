import Foundation
import GPGME
import Glibc
import SecretMemory
import TestSupport
import Testing

/// Each in a process of its own, so that other tests cannot disturb the counts.
@Suite struct ResourceTests {
    @Test func leavesNoDescriptorsAndNoChildren() async {
        await #expect(processExitsWith: .success) {
            let keyring = try TestKeyring()
            let key = try keyring.makeKey("Alice <alice@example.org>")
            try work(keyring, key)
            let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            for _ in 0..<10 { try work(keyring, key) }
            let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            #expect(after == before)
            errno = 0
            #expect(waitpid(-1, nil, WNOHANG) == -1)
            #expect(errno == ECHILD)
        }
    }

    @Test func leavesNoCopyOfASecretInMemory() async {
        await #expect(processExitsWith: .success) {
            let keyring = try TestKeyring()
            let key = try keyring.makeKey("Alice <alice@example.org>", passphrase: "")
            let scan = MemoryScan()
            var message: [UInt8] = []
            do {
                let secret = scan.makeSecret(repeating: 300)
                // Proves that the scan sees what is there.
                #expect(try scan.copies() > 0)
                let context = try Context(keyring.options)
                message = try context.encrypt(secret, to: [[UInt8](key)])
                #expect(throws: EncryptionFailure.self) {
                    _ = try context.encrypt(secret, to: [[UInt8]("nobody@example.org")])
                }
            }
            #expect(try scan.copies() == 0)
            do {
                let context = try Context(keyring.options)
                let decryption = try context.decrypt(message.span)
                #expect(try scan.copies() > 0)
                #expect(decryption.plaintext.count == 300 * scan.count)
                message[message.count - 3] ^= 1
                #expect(throws: GPGMEError.self) { _ = try context.decrypt(message.span) }
                message[message.count - 3] ^= 1
                #expect(throws: GPGMEError.self) { _ = try context.decrypt(message.span, limit: 20) }
            }
            #expect(try scan.copies() == 0)
        }
    }

    @Test func leavesNoCopyOfAPassphraseInMemory() async {
        await #expect(processExitsWith: .success) {
            let keyring = try TestKeyring()
            let key = try keyring.makeKey("Alice <alice@example.org>", passphrase: "right")
            let message = try keyring.encrypted("x", to: [key])
            _ = try keyring.run("gpg-connect-agent", ["--homedir", keyring.home, "killagent", "/bye"])
            let scan = MemoryScan()
            do {
                let provider = SecretProvider(answer: scan.makeSecret(repeating: 1))
                #expect(try scan.copies() > 0)
                let context = try Context(keyring.options, passphrases: provider)
                #expect(throws: GPGMEError(.decrypt, .badPassphrase)) {
                    _ = try context.decrypt(message.span)
                }
            }
            #expect(try scan.copies() == 0)
        }
    }

    @Test func contextsWorkSideBySide() throws {
        let keyring = try TestKeyring()
        let key = try keyring.makeKey("Alice <alice@example.org>")
        let options = keyring.options
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                let context = try Context(options)
                for round in 0..<5 {
                    let text = [UInt8]("\(thread) \(round)")
                    let message = try context.encrypt(SecretBytes(copying: text.span), to: [[UInt8](key)])
                    let isSame = try context.decrypt(message.span).plaintext.exposed == text
                    #expect(isSame)
                    #expect(throws: GPGMEError.self) { _ = try context.decrypt([1, 2, 3].span) }
                }
            } catch {
                Issue.record(error)
            }
        }
    }
}

/// Uses each operation once, also in ways that fail.
private func work(_ keyring: TestKeyring, _ key: String) throws {
    let context = try Context(keyring.options)
    let message = try context.encrypt(SecretBytes("x"), to: [[UInt8](key)])
    _ = try context.decrypt(message.span)
    _ = try context.groups()
    _ = try context.keys(matching: [[UInt8](key)])
    let signature = try context.signDetached([1], by: [[UInt8](key)])
    _ = try context.verifyDetached(signature, of: [2])
    #expect(throws: EncryptionFailure.self) {
        _ = try context.encrypt(SecretBytes("x"), to: [[UInt8]("nobody@example.org")])
    }
    var damaged = message
    damaged[message.count - 3] ^= 1
    #expect(throws: GPGMEError.self) { _ = try context.decrypt(damaged.span) }
    #expect(throws: GPGMEError.self) { _ = try context.decrypt(message.span, limit: 0) }
}

private struct SecretProvider: PassphraseProvider {
    let answer: SecretBytes

    func passphrase(for userID: [UInt8], previousWasBad: Bool) -> SecretBytes? { answer }
}

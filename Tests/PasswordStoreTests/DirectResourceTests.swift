import Foundation
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore

/// What one gpg, started directly, leaves behind; each in a process of its own, so that other tests cannot disturb.
@Suite struct DirectResourceTests {
    private static let real = "exec /usr/bin/gpg \"$@\""
    private static let scripts = [
        real, "exit 2", "exec head -c 100 <&100", "/usr/bin/gpg \"$@\"; kill -9 $$",
        "head -c 100 <&100; kill -9 $$",
    ]

    @Test func leavesNoCopyOfASecretInMemory() async {
        await #expect(processExitsWith: .success) {
            let gpg = FalseGPG()
            let scan = MemoryScan()
            // More than a pipe takes.
            let count = 10_000
            var message: [UInt8] = []
            do {
                let secret = scan.makeSecret(repeating: count)
                // Proves that the scan sees what is there.
                #expect(try scan.copies() >= count)
                for script in Self.scripts {
                    let recipients = [Array(Keys.alice.utf8)]
                    let made = DirectEncryption(of: secret, to: recipients, try gpg.settings(script))?
                        .finish()
                    #expect((made != nil) == (script == Self.real), "\(script)")
                    message = made ?? message
                }
            }
            #expect(try scan.copies() == 0)
            do {
                let secret = try #require(DirectDecryption(try gpg.settings(Self.real)).decrypt(message))
                #expect(try scan.copies() >= count)
                #expect(secret.count == count * scan.count)
                for script in [
                    "/usr/bin/gpg \"$@\"; exit 2", "head -c 9999 <&100 | /usr/bin/gpg \"$@\" 100<&0",
                ] {
                    #expect(DirectDecryption(try gpg.settings(script)).decrypt(message) == nil, "\(script)")
                }
                let small = try gpg.settings(Self.real, ["PASSCHAIN_SIZE_LIMIT": "100000"])
                #expect(DirectDecryption(small).decrypt(message) == nil)
            }
            #expect(try scan.copies() == 0)
        }
    }

    @Test func leavesNoDescriptorsAndNoChildren() async {
        await #expect(processExitsWith: .success) {
            let gpg = FalseGPG()
            let secret = SecretBytes(copying: [UInt8](repeating: 0x61, count: 200_000).span)
            func work() throws {
                for script in Self.scripts {
                    let settings = try gpg.settings(script)
                    let recipients = [Array(Keys.alice.utf8)]
                    let message = DirectEncryption(of: secret, to: recipients, settings)?.finish()
                    if let message { #expect(DirectDecryption(settings).decrypt(message) != nil) }
                }
            }
            try work()
            let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            for _ in 0..<5 { try work() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count == before)
            errno = 0
            #expect(waitpid(-1, nil, WNOHANG) == -1)
            #expect(errno == ECHILD)
        }
    }
}

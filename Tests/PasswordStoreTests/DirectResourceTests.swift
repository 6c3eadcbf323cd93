import Foundation
import GPGME
import Glibc
import SecretMemory
import TestSupport
import Testing
import Unix

@testable import PasswordStore

/// What one gpg, started directly, leaves behind; each in a process of its own, so that other tests cannot disturb.
@Suite struct DirectResourceTests {
    private static let real = "exec /usr/bin/gpg \"$@\""
    private static let scripts = [
        real, "exit 2", "exec head -c 100 <&100", "/usr/bin/gpg \"$@\"; kill -9 $$",
        "head -c 100 <&100; kill -9 $$",
    ]

    private static func text(_ message: [UInt8], _ settings: Settings) throws -> SecretBytes? {
        let answer = DirectDecryption(settings).decrypt(try AcceptableMessage(message))
        guard case .plaintext(let text) = answer else { return nil }
        return text
    }

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
                        .finish().message?.bytes
                    #expect((made != nil) == (script == Self.real), "\(script)")
                    message = made ?? message
                }
            }
            #expect(try scan.copies() == 0)
            do {
                let secret = try #require(try Self.text(message, try gpg.settings(Self.real)))
                #expect(try scan.copies() >= count)
                #expect(secret.count == count * scan.count)
                for script in [
                    "/usr/bin/gpg \"$@\"; exit 2", "head -c 9999 <&100 | /usr/bin/gpg \"$@\" 100<&0",
                ] {
                    #expect(try Self.text(message, try gpg.settings(script)) == nil, "\(script)")
                }
                let small = try gpg.settings(Self.real, ["PASSCHAIN_SIZE_LIMIT": "100000"])
                #expect(try Self.text(message, small) == nil)
            }
            #expect(try scan.copies() == 0)
        }
    }

    /// The numbers of gpg's descriptors are lower then.
    @Test(arguments: [64, 103, 104]) func worksWhereFewFilesMayBeOpen(_ most: UInt) async {
        await #expect(processExitsWith: .success) { [most] in
            let gpg = FalseGPG()
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var (former, limit) = (rlimit(), rlimit())
            guard getrlimit(kind, &former) == 0 else { exit(1) }
            limit = rlimit(rlim_cur: rlim_t(most), rlim_max: former.rlim_max)
            // The numbers are chosen once in a process; the keys take more files than these.
            guard setrlimit(kind, &limit) == 0, Subprocess.firstFarNumber > 0 else { exit(1) }
            guard setrlimit(kind, &former) == 0, !Keys.alice.isEmpty else { exit(1) }
            guard setrlimit(kind, &limit) == 0 else { exit(1) }
            let store = Store(try gpg.settings(Self.real))
            let secret = SecretBytes(copying: Array("secret".utf8).span)
            let made = DirectEncryption(of: secret, to: [Array(Keys.alice.utf8)], try gpg.settings(Self.real))
            guard let message = made?.finish().message else { exit(2) }
            guard try store.decrypt(message.bytes, at: "x.gpg").bytes.isEqual(to: secret) else { exit(3) }
            guard try gpg.starts.count == 2 else { exit(4) }
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
                    if let message = message?.message {
                        #expect(try Self.text(message.bytes, settings) != nil)
                    }
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

import Foundation
import GPGME
import TestSupport
import Testing

/// Files with public keys that are whole, and others.
@Suite struct KeyringFileTests {
    @Test func everyCutOfAKeyboxIsNoticed() throws {
        let keyring = try TestKeyring()
        try keyring.makeKey("Alice <alice@example.org>")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: keyring.home + "/pubring.kbx")))
        #expect(KeyringFile(bytes.span).isWhole)
        let wholes = (1..<bytes.count).filter { count in
            let cut = Array(bytes[..<count])
            return KeyringFile(cut.span).isWhole
        }
        // The first part is the header, of 32 bytes; there may be one more that is no longer used.
        #expect(wholes.first == 32 && wholes.count <= 2)
        let longer = bytes + [0]
        #expect(!KeyringFile(longer.span).isWhole)
    }

    @Test func everyCutOfARowOfPacketsIsNoticed() throws {
        let keyring = try TestKeyring()
        let key = try keyring.makeKey("Alice <alice@example.org>")
        let bytes = try keyring.gpg(["--export", key]).output
        #expect(KeyringFile(bytes.span).isWhole)
        let wholes = (1..<bytes.count).filter { count in
            let cut = Array(bytes[..<count])
            return KeyringFile(cut.span).isWhole
        }
        // It ends with a packet: key, name, its signature, subkey, its signature.
        #expect(wholes.count == 4)
    }

    @Test(arguments: ["text\n", "\0\0\0\u{20}\u{1}\u{1}\0\0KBXf", "\0\0\0\0\0\0\0\0KBXf\0\0\0\0"])
    func anythingElseIsNone(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(!KeyringFile(bytes.span).isWhole)
    }

    @Test func anEmptyFileHoldsNoHalfKey() {
        let bytes: [UInt8] = []
        #expect(KeyringFile(bytes.span).isWhole)
    }
}

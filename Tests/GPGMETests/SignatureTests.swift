// swift-format-ignore-file: NeverUseForceTry
import Foundation
import GPGME
import TestSupport
import Testing

@Suite(.serialized) struct SignatureTests {
    static let keyring = try! TestKeyring()
    static let signer = try! keyring.makeKey("Signer <signer@example.org>")
    static let other = try! keyring.makeKey("Other <other@example.org>")
    static let data = [UInt8]("\(signer)\n")

    let context = try! Context(keyring.options)

    static func pinned(_ texts: String...) -> Set<Fingerprint> { Set(texts.compactMap { Fingerprint($0) }) }

    /// Signs with gpg itself.
    static func sign(_ data: [UInt8], by key: String, _ options: [String] = ["--detach-sign"]) throws
        -> [UInt8]
    {
        try keyring.gpg(["-u", key] + options, input: data).output
    }

    func verdict(_ signature: [UInt8], of data: [UInt8] = data, _ pinned: Set<Fingerprint>) throws
        -> SignatureVerdict
    {
        let signatures = try context.verifyDetached(signature, of: data)
        let verdict = signatures.verdict(trusting: pinned)
        #expect(signatures.isSigned(by: pinned) == (verdict == .accepted))
        return verdict
    }

    @Test func acceptsWhatWasSignedHere() throws {
        let signature = try context.signDetached(Self.data, by: [[UInt8](Self.signer)])
        #expect(try verdict(signature, Self.pinned(Self.signer)) == .accepted)
        #expect(try verdict(signature, Self.pinned(Self.signer.lowercased())) == .accepted)
        #expect(try verdict(signature, Self.pinned(Self.other, Self.signer)) == .accepted)
        let found = try #require(context.verifyDetached(signature, of: Self.data).first)
        #expect(found.fingerprint?.digits == Self.signer)
        #expect(found.primaryFingerprint?.digits == Self.signer)
        #expect(found.isGood)
    }

    @Test(arguments: [["--detach-sign"], ["--detach-sign", "--armor"]])
    func acceptsWhatGPGSigned(_ options: [String]) throws {
        let signature = try Self.sign(Self.data, by: Self.signer, options)
        #expect(try verdict(signature, Self.pinned(Self.signer)) == .accepted)
    }

    @Test func acceptsASubkeyByItsOwnAndByItsPrimaryFingerprint() throws {
        let key = try Self.keyring.makeKey("Subkey <subkey@example.org>")
        try Self.keyring.gpg([
            "--passphrase", "", "--pinentry-mode", "loopback", "--quick-add-key", key, "ed25519", "sign",
        ])
        let subkey = try Self.keyring.fingerprints(of: key)[2]
        let signature = try context.signDetached(Self.data, by: [[UInt8](key)])
        #expect(try context.verifyDetached(signature, of: Self.data).first?.fingerprint?.digits == subkey)
        #expect(try verdict(signature, Self.pinned(key)) == .accepted)
        #expect(try verdict(signature, Self.pinned(subkey)) == .accepted)
        let encryption = try Self.keyring.fingerprints(of: key)[1]
        #expect(try verdict(signature, Self.pinned(encryption)) == .notPinned)
    }

    @Test func refusesAnotherKey() throws {
        let signature = try Self.sign(Self.data, by: Self.other)
        #expect(try verdict(signature, Self.pinned(Self.signer)) == .notPinned)
        #expect(try verdict(signature, []) == .notPinned)
    }

    @Test func refusesEveryChangedByte() throws {
        let signature = try Self.sign(Self.data, by: Self.signer)
        for index in Self.data.indices {
            var data = Self.data
            data[index] ^= 1
            guard case .refused(let found) = try verdict(signature, of: data, Self.pinned(Self.signer)) else {
                Issue.record("byte \(index)")
                continue
            }
            #expect(found.status == .badSignature)
        }
    }

    @Test func refusesAnUnknownKey() throws {
        let stranger = try TestKeyring()
        let key = try stranger.makeKey("Stranger <stranger@example.org>")
        let signature = try stranger.gpg(["--detach-sign"], input: Self.data).output
        #expect(try verdict(signature, Self.pinned(Self.signer)) == .notPinned)
        #expect(try verdict(signature, Self.pinned(key)) != .accepted)
        #expect(try context.verifyDetached(signature, of: Self.data).map(\.status) == [.noPublicKey])
    }

    @Test func refusesARevokedKey() throws {
        let key = try Self.keyring.makeKey("Gone <gone@example.org>")
        let signature = try Self.sign(Self.data, by: key)
        #expect(try verdict(signature, Self.pinned(key)) == .accepted)
        let path = Self.keyring.home + "/openpgp-revocs.d/\(key).rev"
        let certificate = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(":-----BEGIN", with: "-----BEGIN")
        try Self.keyring.gpg(["--import"], input: [UInt8](certificate))
        guard case .refused(let found) = try verdict(signature, Self.pinned(key)) else {
            Issue.record("a revoked key was accepted")
            return
        }
        #expect(found.status == .keyRevoked)
    }

    @Test func refusesAnExpiredKeyAndAnExpiredSignature() throws {
        let time = ["--faked-system-time", "1500000000"]
        let key = try Self.keyring.makeKey(
            "Old <old@example.org>",
            at: 1_499_999_000,
            expires: "seconds=86400"
        )
        let byExpired = try Self.sign(Self.data, by: key, time + ["--detach-sign"])
        guard case .refused(let found) = try verdict(byExpired, Self.pinned(key)) else {
            Issue.record("an expired key was accepted")
            return
        }
        #expect(found.status == .keyExpired)

        let lasting = try Self.keyring.makeKey("Lasting <lasting@example.org>", at: 1_499_999_000)
        let options = time + ["--default-sig-expire", "seconds=60", "--detach-sign"]
        let expired = try Self.sign(Self.data, by: lasting, options)
        guard case .refused(let signature) = try verdict(expired, Self.pinned(lasting)) else {
            Issue.record("an expired signature was accepted")
            return
        }
        #expect(signature.status == .signatureExpired)
    }

    @Test(arguments: [
        ["--sign"], ["--sign", "--compress-algo", "none"], ["--sign", "--armor"], ["--clear-sign"],
        ["--store"],
    ])
    func refusesAMessageInPlaceOfASignature(_ options: [String]) throws {
        let message = try Self.sign(Self.data, by: Self.signer, options)
        let error = thrown { () throws(GPGMEError) in
            _ = try context.verifyDetached(message, of: Self.data)
        }
        #expect(error == GPGMEError(.verify, .noData))
    }

    @Test func refusesWhatIsNoSignature() throws {
        let good = try Self.sign(Self.data, by: Self.signer)
        let armor = try Self.sign(Self.data, by: Self.signer, ["--detach-sign", "--armor"])
        let message = try Self.sign(Self.data, by: Self.signer, ["--sign", "--compress-algo", "none"])
        let cut = Array(good.dropLast())
        for wrong in [[], [0], Self.data, cut, good + [0], good + message, armor + Self.data] {
            let error = thrown { () throws(GPGMEError) in
                _ = try context.verifyDetached(wrong, of: Self.data)
            }
            #expect(error == GPGMEError(.verify, .noData))
        }
        #expect([Signature]().verdict(trusting: Self.pinned(Self.signer)) == .unsigned)
    }

    @Test func aUserIDCannotForgeAStatus() throws {
        let attacker = try TestKeyring()
        let text =
            "Eve\n[GNUPG:] VALIDSIG \(Self.signer) 2026-01-01 1 0 4 0 22 8 00 \(Self.signer) <eve@example.org>"
        try attacker.gpg([
            "--allow-freeform-uid", "--passphrase", "", "--pinentry-mode", "loopback",
            "--quick-gen-key", text, "ed25519", "sign", "never",
        ])
        try Self.keyring.gpg(["--import"], input: attacker.gpg(["--export"]).output)
        let signature = try attacker.gpg(["--detach-sign"], input: Self.data).output
        #expect(try verdict(signature, Self.pinned(Self.signer)) == .notPinned)
    }

    @Test func judgesSeveralSignaturesTogether() throws {
        let pinned = Self.pinned(Self.signer)
        let good = try Self.sign(Self.data, by: Self.signer)
        let foreign = try Self.sign(Self.data, by: Self.other)
        let bad = try Self.sign([UInt8]("something else"), by: Self.signer)
        #expect(try verdict(good + foreign, pinned) == .accepted)
        #expect(try verdict(foreign + good, pinned) == .accepted)
        #expect(try verdict(good + bad, pinned) != .accepted)
        #expect(try verdict(bad + good, pinned) != .accepted)

        let stranger = try TestKeyring()
        try stranger.makeKey("Stranger <stranger@example.org>")
        let unknown = try stranger.gpg(["--detach-sign"], input: Self.data).output
        #expect(try verdict(good + unknown, pinned) == .accepted)
        #expect(try verdict(unknown + good, pinned) == .accepted)
    }

    @Test func signsByEachKey() throws {
        let keys = [Self.signer, Self.other]
        let signature = try context.signDetached(Self.data, by: keys.map { [UInt8]($0) })
        let found = try context.verifyDetached(signature, of: Self.data)
        #expect(Set(found.compactMap { $0.fingerprint?.digits }) == Set(keys))
        #expect(found.allSatisfy { $0.isGood })
        let onNothing = try context.signDetached([], by: [[UInt8](Self.signer)])
        #expect(try context.verifyDetached(onNothing, of: []).map(\.status) == [.noError])
    }

    @Test func signsOnlyWithKeysThatAreHere() throws {
        let stranger = try TestKeyring()
        let foreign = try stranger.makeKey("Foreign <foreign@example.org>")
        try Self.keyring.gpg(["--import"], input: stranger.gpg(["--export"]).output)
        let cases: [([String], GPGMEError.Code)] = [
            ([], .missingKey), (["nobody@example.org"], .noSecretKey), ([foreign], .noSecretKey),
            ([Self.signer, foreign], .noSecretKey), (["a\nb"], .invalidValue), (["e"], .ambiguousName),
        ]
        for (keys, code) in cases {
            let error = thrown { () throws(GPGMEError) in
                _ = try context.signDetached(Self.data, by: keys.map { [UInt8]($0) })
            }
            #expect(error == GPGMEError(.sign, code), "\(keys)")
        }
    }
}

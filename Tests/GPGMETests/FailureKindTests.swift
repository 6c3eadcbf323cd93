import GPGME
import Testing

/// The one table of what a failed decryption says about the next one.
@Suite struct FailureKindTests {
    @Test(
        arguments: [
            (.noData, .damagedMessage), (.truncated, .damagedMessage), (.badData, .damagedMessage),
            (.decryptionFailed, .damagedMessage), (.notSupported, .damagedMessage),
            (.tooLarge, .damagedMessage), (.badSignature, .damagedMessage), (.noPublicKey, .damagedMessage),
            (.noSecretKey, .missingKey), (.badPassphrase, .refusedPassphrase),
            (.noPassphrase, .refusedPassphrase),
            (.canceled, .canceled), (.noPinentry, .lockedKey), (.outOfMemory, .exhausted),
            (.tooManyFiles, .exhausted),
            (.fileTableFull, .exhausted), (.tryAgain, .exhausted), (.noAgent, .unavailable),
            (.cardNotPresent, .unavailable), (.general, .unavailable), (.invalidEngine, .unavailable),
            (.unusableSecretKey, .unavailable),
        ] as [(GPGMEError.Code, GPGMEError.Code.Kind)]
    )
    func eachCodeHasItsKind(_ code: GPGMEError.Code, _ kind: GPGMEError.Code.Kind) {
        #expect(code.kind == kind)
        #expect(code.mayPass == (kind == .exhausted))
        #expect(code.concernsOneMessage == (kind == .missingKey || kind == .damagedMessage))
    }

    /// A code that nobody thought of is not known to be harmless.
    @Test func mostCodesConcernEveryMessage() {
        let harmless = (0..<0x10000).map { GPGMEError.Code(rawValue: $0) }.filter(\.concernsOneMessage)
        #expect(harmless.count == 20)
    }
}

import GPGME
import Testing

@Suite struct ErrorTests {
    @Test(arguments: [
        (GPGMEError(.decrypt, .noSecretKey), "decryption failed: No secret key"),
        (GPGMEError(.decrypt, .badPassphrase), "decryption failed: Bad passphrase"),
        (GPGMEError(.decrypt, .noPinentry), "decryption failed: No pinentry"),
        (GPGMEError(.encrypt, .unusablePublicKey), "encryption failed: Unusable public key"),
        (GPGMEError(.verify, .badSignature), "verification failed: Bad signature"),
    ])
    func saysItInTheWordsOfGnuPG(_ error: GPGMEError, text: String) {
        #expect(error.description == text)
        #expect("\(error)" == text)
    }

    @Test func everyOperationHasWordsOfItsOwn() {
        let texts = GPGMEError.Operation.allCases.map { GPGMEError($0, .general).description }
        #expect(Set(texts).count == texts.count)
    }

    @Test func aCodeMatchesErrorsOfAnyOperation() {
        let error: any Error = GPGMEError(.sign, .canceled)
        #expect(GPGMEError.Code.canceled ~= error)
        #expect(!(GPGMEError.Code.noData ~= error))
        #expect(!(GPGMEError.Code.canceled ~= MalformedMessage.truncated))
    }
}

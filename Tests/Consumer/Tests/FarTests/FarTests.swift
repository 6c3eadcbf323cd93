import Security
import Testing
import Wallet

@Test func theWalletHasWords() { #expect(words(of: errSecSuccess) == "No error.") }

import KeychainKit
import Purse
import Testing

@Test func thePurseHasAName() { #expect(purse().service == "-25299") }

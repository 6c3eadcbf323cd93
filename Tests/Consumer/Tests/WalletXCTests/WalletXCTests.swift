import Security
import Wallet
import XCTest

final class WalletXCTests: XCTestCase {
    func testTheWalletHasWords() { XCTAssertEqual(words(of: errSecSuccess), "No error.") }
}

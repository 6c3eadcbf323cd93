import Foundation
import Security

// The calls that are measured.

/// What names the item of this number.
func item(_ number: Int) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "bench", kSecAttrAccount: "account \(number)"]
}

/// Adds `count` items.
func addItems(_ count: Int) {
    for number in 0..<count {
        let rest: [CFString: Any] = [kSecValueData: Data("secret \(number)".utf8), kSecAttrLabel: "L"]
        let status = SecItemAdd(item(number).merging(rest) { $1 } as CFDictionary, nil)
        precondition(status == errSecSuccess)
    }
}

/// Reads the secret of one item.
func readOne() {
    let query = item(0).merging([kSecReturnData: true]) { $1 }
    var result: CFTypeRef?
    precondition(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
}

/// Asks for the attributes of all items, and says how many there are.
@discardableResult
func matchAll() -> Int {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
    ]
    var result: CFTypeRef?
    SecItemCopyMatching(query as CFDictionary, &result)
    // What it costs to make Swift's own dictionaries of the answer is not measured.
    return (result as? NSArray)?.count ?? 0
}

/// How long `body` takes, in milliseconds.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

/// The one in the middle.
func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

import Foundation
import Security
import TestSupport

// `swift run -c release keychain-bench [items]`: medians in milliseconds, beside bare `gpg -q -d` of the same file.
// `swift run -c release keychain-bench growth [first last]`: memory and open files after so many mixed calls.

/// Runs `body` `count` times.
///
/// - Returns: the median time in milliseconds.
func median(of count: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<count {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
    }
    return times.sorted()[count / 2]
}

func item(_ number: Int) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "bench", kSecAttrAccount: "account \(number)"]
}

func matchAll() -> Int {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
    ]
    var result: CFTypeRef?
    SecItemCopyMatching(query as CFDictionary, &result)
    return (result as? [Any])?.count ?? 0
}

func show(_ name: String, _ milliseconds: Double) {
    print(name.padding(toLength: 60, withPad: " ", startingAt: 0), String(format: "%9.2f", milliseconds))
}

func readOne() {
    let query = item(0).merging([kSecReturnData: true]) { $1 }
    var result: CFTypeRef?
    precondition(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
}

// Another process of the same program: it says how long one call takes in it.
if CommandLine.arguments.contains("fresh-all") {
    show("match-all, index warm, in a fresh process", median(of: 1) { _ = matchAll() })
    show("the same again in that process", median(of: 20) { _ = matchAll() })
    exit(0)
}
if CommandLine.arguments.contains("fresh-one") {
    show("the first SecItemCopyMatching of a fresh process", median(of: 1) { readOne() })
    exit(0)
}

let keyring = try TestKeyring()
let store = try makeStore(keyring)
let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
if CommandLine.arguments.contains("growth") {
    Growth.show(after: numbers.count == 2 ? numbers : [1_000, 10_000])
    exit(0)
}
let count = numbers.first ?? 1_000

for number in 0..<count {
    let attributes = item(number).merging([kSecValueData: Data("secret \(number)".utf8), kSecAttrLabel: "L"])
    { $1 }
    precondition(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
}
Thread.sleep(forTimeInterval: 0.1)

let file = "\(store)/bench/account 0.gpg"
let gpg = try median(of: 51) { _ = try keyring.run("gpg", ["--homedir", keyring.home, "-q", "-d", file]) }
let copy = median(of: 51) { readOne() }
show("gpg -q -d of one entry", gpg)
show("SecItemCopyMatching of it by service and account", copy)
print("  ratio", String(format: "%.2f", copy / gpg))
let all = try median(of: 1) {
    for number in 0..<count {
        _ = try keyring.run(
            "gpg",
            ["--homedir", keyring.home, "-q", "-d", "\(store)/bench/account \(number).gpg"]
        )
    }
}
show("gpg -q -d of all \(count), one after the other", all)
show("match-all with attributes, index cold", median(of: 1) { precondition(matchAll() == count) })
for argument in ["fresh-all", "fresh-one"] {
    let program = CommandLine.arguments[0]
    print(try keyring.run(program, [argument]).text, terminator: "")
    show("  … the whole process", try median(of: 5) { _ = try keyring.run(program, [argument]) })
}
print("  2 % of decrypting all:", String(format: "%.1f", all * 0.02))

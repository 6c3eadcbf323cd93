import Foundation
import TestSupport

// `keychain-bench [items]`: a table of what the keychain's functions cost beside bare gpg; for a release build.
// `keychain-bench growth [first last]`: memory and open files after so many mixed calls.
// The others are for processes that the table starts: how long the first or second call of one takes.

let words = CommandLine.arguments.dropFirst()
let numbers = words.compactMap(Int.init)
switch words.first {
case "first-one": print(milliseconds { readOne() })
case "first-all": print(milliseconds { matchAll() })
case "second-all":
    matchAll()
    print(milliseconds { matchAll() })
case "growth":
    _ = try makeStore(TestKeyring())
    Growth.show(after: numbers.count == 2 ? numbers : [1_000, 10_000])
default:
    let keyring = try TestKeyring()
    let store = try makeStore(keyring)
    try Table(keyring, store: store, count: numbers.first ?? 1_000).show()
}

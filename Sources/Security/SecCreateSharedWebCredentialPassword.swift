public import Foundation

/// Makes a random password of the form `xxx-xxx-xxx-xxx`.
///
/// Letters and digits that look alike are left out; small letters, capitals and digits all occur.
///
/// - Source: SecSharedCredential.h.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    let sets = ["abcdefghkmnopqrstuvwxy", "ABCDEFGHJKLMNPQRSTUVWXYZ", "3456789"].map(Array.init)
    let all = sets.flatMap(\.self)
    // The system's generator is cryptographically secure on Linux (it reads getrandom).
    var random = SystemRandomNumberGenerator()
    while true {
        let letters = (0..<12).compactMap { _ in all.randomElement(using: &random) }
        // Drawing anew keeps every password that has all three kinds equally likely.
        guard sets.allSatisfy({ !Set($0).isDisjoint(with: letters) }) else { continue }
        let groups = stride(from: 0, to: 12, by: 3).map { String(letters[$0..<$0 + 3]) }
        return NSString(string: groups.joined(separator: "-"))
    }
}

import Foundation
import TestSupport

/// How long the loops over random input run.
enum Fuzz {
    /// `KEYCHAIN_FUZZ` rounds, or a number that takes about a second.
    static let rounds = ProcessInfo.processInfo.environment["KEYCHAIN_FUZZ"].flatMap(Int.init) ?? 20_000
}

typealias SeededGenerator = TestSupport.SeededGenerator

internal import Foundation

/// A generator whose numbers depend on its seed alone, so that every failure can be had again (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    private let seed: UInt64
    private var state: UInt64

    /// Starts at `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A generator with a seed of its own in each run, or the seed that `TEST_SEED` names.
    ///
    /// A test shows the generator with each expectation, as its description is what repeats the run: `TEST_SEED=…`.
    public static func forTest() -> SeededGenerator {
        SeededGenerator(seed: namedSeed ?? .random(in: 0...999_999_999))
    }

    /// The seed that `TEST_SEED` names.
    public static let namedSeed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }

    /// The variable that repeats the run.
    public var description: String { "TEST_SEED=\(seed)" }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

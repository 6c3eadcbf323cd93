public import Foundation

/// How long loops over inputs run that nobody chose.
public enum Fuzz {
    /// `FUZZ_INPUTS` inputs for each parser, or a number that takes a second or two.
    public static let inputs =
        ProcessInfo.processInfo.environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 20_000
}

/// Inputs for a parser: the files of a corpus, and those files with something changed.
///
/// The order, and every change, depends on the seed alone.
public struct Mutator: Sendable {
    private let seeds: [[UInt8]]
    private let tokens: [[UInt8]]
    private var random: SeededGenerator
    private var count = 0

    /// Inputs grow no longer than this by changes.
    private static let mostBytes = 4096

    /// Begins with the files of a folder, by their names.
    ///
    /// - Parameters:
    ///   - corpus: a folder of seeds; inputs that once were a failure are kept there, too.
    ///   - tokens: what is put in now and then, such as the words of the language.
    ///   - seed: where the generator of changes begins; 1, unless `TEST_SEED` names one.
    /// - Throws: an error when the folder cannot be read, or is empty.
    public init(corpus: URL, tokens: [String] = [], seed: UInt64 = SeededGenerator.namedSeed ?? 1) throws {
        let files = try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
        seeds = try files.sorted { $0.path < $1.path }.map { try Array(Data(contentsOf: $0)) }
        self.tokens = tokens.map { Array($0.utf8) }
        random = SeededGenerator(seed: seed)
        guard !seeds.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
    }

    /// The next input: first each seed as it is, then seeds with one to six changes.
    public mutating func next() -> [UInt8] {
        count += 1
        if count <= seeds.count { return seeds[count - 1] }
        var input = seeds[Int.random(in: seeds.indices, using: &random)]
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(&input) }
        if input.count > Self.mostBytes { input.removeSubrange(Self.mostBytes...) }
        return input
    }

    private mutating func change(_ input: inout [UInt8]) {
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 0...16, using: &random))
        switch Int.random(in: 0...9, using: &random) {
        case 0: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: input.removeSubrange(place..<end)
        case 2: input.removeSubrange(place...)
        case 3: input.insert(contentsOf: Array(input[place..<end]), at: place)
        case 4: input.removeSubrange(..<place)
        case 5 where !tokens.isEmpty:
            input.insert(contentsOf: tokens[Int.random(in: tokens.indices, using: &random)], at: place)
        case 6:
            let other = seeds[Int.random(in: seeds.indices, using: &random)]
            let start = Int.random(in: 0...other.count, using: &random)
            input.replaceSubrange(place..., with: other[start...])
        case 7 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 8 where place < input.count:
            let bytes: [UInt8] = [
                0, 1, 0x09, 0x0A, 0x0D, 0x20, 0x23, 0x25, 0x2D, 0x2F, 0x7F, 0x80, 0xC0, 0xFE, 0xFF,
            ]
            input[place] = bytes[Int.random(in: bytes.indices, using: &random)]
        default:
            let block = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
            input.insert(contentsOf: block, at: place)
        }
    }
}

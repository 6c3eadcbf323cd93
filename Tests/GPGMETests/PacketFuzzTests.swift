import GPGME
import TestSupport
import Testing

/// SplitMix64: the same bytes in every run.
struct FixedRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

@Suite struct PacketFuzzTests {
    static let seeds: [[UInt8]] = {
        let keyring = try! TestKeyring()
        let keys = try! (1...3).map { try keyring.makeKey("Key \($0) <key\($0)@example.org>") }
        return try! [
            keyring.encrypted("secret", to: keys), keyring.encrypted("secret", to: keys, ["--armor"]),
            keyring.encrypted(String(repeating: "x", count: 3000), to: [keys[0]], ["--throw-keyids"]),
            keyring.gpg(["--sign"], input: [UInt8]("x")).output, [],
        ]
    }()

    /// The process ends at the first crash; what is left to check is that an answer makes sense.
    @Test(arguments: 0..<10)
    func survivesAnyInput(_ round: UInt64) {
        var random = FixedRandom(seed: round)
        var parsed = 0
        for _ in 0..<10_000 {
            var input = Self.seeds.randomElement(using: &random) ?? []
            mutate(&input, using: &random)
            guard let packets = try? MessagePackets(input.span) else { continue }
            parsed += 1
            #expect(packets.recipients.count + packets.passphraseCount <= input.count)
            if packets.ending == .whole { #expect(packets.isEncrypted) }
        }
        #expect((1...9_999).contains(parsed))
    }

    private func mutate(_ input: inout [UInt8], using random: inout FixedRandom) {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...input.count, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 1: input.removeSubrange(place...)
            case 2: input.removeSubrange(..<place)
            case 3 where place < input.count: input.remove(at: place)
            case 4:
                input.insert(
                    contentsOf: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) },
                    at: place
                )
            default:
                guard place < input.count else { continue }
                input[place] =
                    [0, 0x7F, 0x80, 0xC0, 0xE0, 0xFE, 0xFF, input[place] ^ 1].randomElement(using: &random)
                    ?? 0
            }
        }
    }
}

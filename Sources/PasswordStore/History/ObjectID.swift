internal import SecretMemory

/// The names that git gives to contents: a hash of the kind, the length and the bytes.
///
/// Source: `gitformat-pack(5)` and FIPS 180-4. They are compared with what git itself wrote, and protect nothing.
struct ObjectID: Hashable, Sendable {
    /// 20 bytes of SHA-1, or 32 of SHA-256.
    let bytes: [UInt8]

    /// Takes an ID as git prints it, in hexadecimal digits; `nil` for anything else.
    init?(hexadecimal text: ArraySlice<UInt8>) {
        guard text.count == 40 || text.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
            guard let high = text[index].hexadecimalValue, let low = text[index + 1].hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// Takes an ID as it stands in git's index.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// The ID of a file's content, by the algorithm of another ID.
    init(ofBlob content: [UInt8], like other: ObjectID) {
        let header = Array("blob \(content.count)".utf8) + [0]
        bytes = other.bytes.count == 20 ? SHA1.hash(header, content) : SHA256.hash(header, content)
    }
}

/// A hash function that works on blocks of 64 bytes and 32-bit words.
private protocol BlockHash {
    static var start: [UInt32] { get }
    static var scheduleLength: Int { get }
    static func mix(_ state: inout [UInt32], _ schedule: inout [UInt32])
}

extension BlockHash {
    /// The hash of `header` and then `content`.
    static func hash(_ header: [UInt8], _ content: [UInt8]) -> [UInt8] {
        var state = start
        var schedule = [UInt32](repeating: 0, count: scheduleLength)
        let most = min(content.count, 64 - header.count)
        var first = header + content[..<most]
        var rest = most
        let length = header.count + content.count
        if first.count == 64 {
            take(first, at: 0, &state, &schedule)
            while content.count - rest >= 64 {
                take(content, at: rest, &state, &schedule)
                rest += 64
            }
            first = Array(content[rest...])
        }
        var last = first + [0x80]
        last += [UInt8](repeating: 0, count: (120 - last.count % 64) % 64)
        last += UInt64(length * 8).bigEndianBytes
        for offset in stride(from: 0, to: last.count, by: 64) { take(last, at: offset, &state, &schedule) }
        return state.flatMap(\.bigEndianBytes)
    }

    private static func take(
        _ bytes: [UInt8],
        at offset: Int,
        _ state: inout [UInt32],
        _ schedule: inout [UInt32]
    ) {
        for index in 0..<16 { schedule[index] = bytes.word(at: offset + 4 * index) }
        mix(&state, &schedule)
    }
}

private enum SHA1: BlockHash {
    static let start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    static let scheduleLength = 80

    static func mix(_ state: inout [UInt32], _ schedule: inout [UInt32]) {
        for index in 16..<80 {
            let word =
                schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
            schedule[index] = word.rotated(left: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (f, k): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = a.rotated(left: 5) &+ f &+ e &+ k &+ schedule[index]
            (a, b, c, d, e) = (next, a, b.rotated(left: 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}

private enum SHA256: BlockHash {
    static let start: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19,
    ]
    static let scheduleLength = 64

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
        0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7,
        0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC,
        0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351,
        0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E,
        0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585,
        0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F,
        0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
        0xC671_78F2,
    ]

    static func mix(_ state: inout [UInt32], _ schedule: inout [UInt32]) {
        for index in 16..<64 {
            let (x, y) = (schedule[index - 15], schedule[index - 2])
            let small0 = x.rotated(left: 25) ^ x.rotated(left: 14) ^ x >> 3
            let small1 = y.rotated(left: 15) ^ y.rotated(left: 13) ^ y >> 10
            schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let large1 = e.rotated(left: 26) ^ e.rotated(left: 21) ^ e.rotated(left: 7)
            let first = h &+ large1 &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
            let large0 = a.rotated(left: 30) ^ a.rotated(left: 19) ^ a.rotated(left: 10)
            let second = large0 &+ (a & b ^ a & c ^ b & c)
            (e, f, g, h) = (d &+ first, e, f, g)
            (a, b, c, d) = (first &+ second, a, b, c)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

extension UInt32 {
    fileprivate func rotated(left count: UInt32) -> UInt32 { self << count | self >> (32 - count) }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension [UInt8] {
    /// Four bytes as a number, the highest first.
    func word(at offset: Int) -> UInt32 {
        UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
            | UInt32(self[offset + 3])
    }
}

import Testing
import Unix

/// What bytes are a character, against the standard library.
@Suite struct SpanCharacterTests {
    private func check(_ bytes: [UInt8]) {
        let character = bytes.span.character(at: 0)
        // The standard library looks at whole texts: at each beginning of these.
        let expected = (1...bytes.count).lazy.compactMap { length in
            String(validating: bytes[..<length], as: UTF8.self)
        }.first
        #expect(character?.length == expected?.utf8.count, "\(bytes)")
        #expect(character?.scalar == expected?.unicodeScalars.first?.value, "\(bytes)")
    }

    @Test func everyPairOfBytes() {
        for first in UInt8.min...UInt8.max {
            check([first])
            for second in UInt8.min...UInt8.max { check([first, second]) }
        }
    }

    @Test func longerOnesAtEveryEdge() {
        let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        for first in UInt8(0xE0)...0xF8 {
            for second in edges {
                for third in edges {
                    check([first, second, third])
                    for fourth in edges { check([first, second, third, fourth]) }
                }
            }
        }
    }
}

/// A sequence that a key sends, while it comes: ESC and what follows (ECMA-48, and xterm's keys).
///
/// One that is not known here is still read to its end, so that no part of it gets into a password.
struct EscapeSequence: Equatable {
    /// What a key does.
    enum Key: Equatable {
        /// Nothing here.
        case none
        case left, right, home, end, wordLeft, wordRight, delete, eraseWord
        /// A pasted text follows.
        case paste
    }

    /// What a byte brought about.
    enum Step: Equatable {
        case goesOn
        case complete(Key)
        /// The byte is none of a sequence, and the sequence is over.
        case broken
    }

    private enum Form {
        /// ESC alone so far.
        case start
        /// ESC [ and its parameters.
        case control
        /// ESC [ [ of the console's function keys, and ESC O of the keypad.
        case oneMore
        case keypad
        /// ESC ] and others: a text up to BEL or ESC \.
        case text
        case textEscape
    }
    private var form = Form.start
    private var parameters: [UInt8] = []

    /// Parameters that are longer belong to nothing that is known here.
    private static let longest = 16

    mutating func take(_ byte: UInt8) -> Step {
        switch form {
        case .start: return begin(byte)
        case .oneMore: return byte < 0x20 ? .broken : .complete(.none)
        case .keypad: return byte < 0x20 ? .broken : .complete(EscapeSequence.key(byte, []))
        case .text, .textEscape:
            if byte == 0x07 || form == .textEscape && byte == UInt8(ascii: "\\") { return .complete(.none) }
            guard byte == .escape || byte >= 0x20 else { return .broken }
            form = byte == .escape ? .textEscape : .text
            return .goesOn
        case .control: break
        }
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty: form = .oneMore
        case 0x20...0x3F:
            if parameters.count <= EscapeSequence.longest { parameters.append(byte) }
        case 0x40...0x7E: return .complete(EscapeSequence.key(byte, parameters))
        default: return .broken
        }
        return .goesOn
    }

    private mutating func begin(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "["): form = .control
        case UInt8(ascii: "O"): form = .keypad
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            form = .text
        case .escape: break
        case UInt8(ascii: "b"): return .complete(.wordLeft)
        case UInt8(ascii: "f"): return .complete(.wordRight)
        case 0x7F, .backspace: return .complete(.eraseWord)
        case ..<0x20: return .broken
        default: return .complete(.none)
        }
        return .goesOn
    }

    private static func key(_ final: UInt8, _ parameters: [UInt8]) -> Key {
        guard parameters.count <= longest else { return .none }
        let numbers = parameters.split(separator: UInt8(ascii: ";"))
            .map { String(decoding: $0, as: UTF8.self) }
        let isModified = numbers.count > 1
        switch final {
        case UInt8(ascii: "C"): return isModified ? .wordRight : .right
        case UInt8(ascii: "D"): return isModified ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "~"): break
        default: return .none
        }
        return switch numbers.first {
        case "1", "7": .home
        case "4", "8": .end
        case "3": .delete
        case "200": .paste
        default: .none
        }
    }
}

internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// Text for the user: our own words, and between them names and paths that may hold any bytes.
///
/// On a pipe it is all bytes as they are. On a terminal what is not our own is made harmless, see ``TerminalText``.
struct Text: ExpressibleByStringInterpolation {
    /// A run of bytes, and whether it is our own words.
    fileprivate struct Piece {
        let bytes: [UInt8]
        let isOurs: Bool
        var kept: TerminalText.Kept = []
    }

    private var pieces: [Piece] = []

    init(stringLiteral text: String) { pieces = [Piece(bytes: Array(text.utf8), isOurs: true)] }

    init(stringInterpolation text: StringInterpolation) { pieces = text.pieces }

    /// Bytes that somebody else made up.
    init(foreign bytes: [UInt8]) { pieces = [Piece(bytes: bytes, isOurs: false)] }

    /// The lines that a program wrote, without their last line end.
    init(output bytes: [UInt8]) {
        let lines = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
        pieces = [Piece(bytes: lines, isOurs: false, kept: .lines)]
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) {
            pieces.append(Piece(bytes: Array(text.utf8), isOurs: true))
        }

        mutating func appendInterpolation(_ text: Text) { pieces += text.pieces }
        mutating func appendInterpolation(_ bytes: [UInt8]) {
            pieces.append(Piece(bytes: bytes, isOurs: false))
        }
        mutating func appendInterpolation(_ path: Path) { appendInterpolation(path.bytes) }
        mutating func appendInterpolation(_ name: EntryName) { appendInterpolation(name.bytes) }
        mutating func appendInterpolation(_ text: String) { appendInterpolation(Array(text.utf8)) }
        mutating func appendInterpolation(_ number: some BinaryInteger) { appendLiteral(String(number)) }
    }

    /// The bytes for a pipe, or for a terminal.
    func bytes(forTerminal: Bool) -> [UInt8] {
        pieces.flatMap {
            $0.isOurs || !forTerminal ? $0.bytes : TerminalText.harmless($0.bytes, keeping: $0.kept)
        }
    }

    /// The bytes for a commit's text, which git keeps and shows.
    var messageBytes: [UInt8] { bytes(forTerminal: false) }

    /// A number and what there are so many of, which for 1 is worded otherwise.
    static func count(_ number: Int, _ one: Text, _ several: Text) -> Text {
        "\(number) \(number == 1 ? one : several)"
    }

    static func + (left: Text, right: Text) -> Text { "\(left)\(right)" }
}

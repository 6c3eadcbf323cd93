// swift-format-ignore-file: NeverForceUnwrap
public import Foundation

/// One command of a script and what came of it.
public struct Exchange: Sendable, Hashable {
    /// Its place in the script, from 1.
    public var number: Int

    /// The command line; more than one line for here-documents and the like.
    public var command: String

    /// What was printed, as escaped lines (see ``escapedLines(_:)``).
    public var output: [String]
    /// What was printed as errors, likewise.
    public var errors: [String]

    /// How the command ended, 0 to 255.
    public var status: Int

    /// A command that printed nothing and succeeded, unless told otherwise.
    public init(number: Int, command: String, output: [String] = [], errors: [String] = [], status: Int = 0) {
        self.number = number
        self.command = command
        self.output = output
        self.errors = errors
        self.status = status
    }

    /// The exchange as goldens show it: command, output (`1>`), errors (`2>`), and the status unless it is 0 (`!`).
    public var lines: [String] {
        var lines = command.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
        lines[0] = "[\(number)] $ " + lines[0].dropFirst(2)
        lines += output.map { $0.isEmpty ? "1>" : "1> \($0)" }
        lines += errors.map { $0.isEmpty ? "2>" : "2> \($0)" }
        if status != 0 {
            lines.append("! \(status)")
        }
        return lines
    }

    /// Printable lines for any bytes.
    ///
    /// UTF-8 text stays as it is. Backslashes, control characters, no-break spaces (which look like spaces) and bytes
    /// that are not UTF-8 are escaped as in C; ESC is `\e`. A last line without its newline ends in `\c`.
    public static func escapedLines(_ bytes: Data) -> [String] {
        guard !bytes.isEmpty else {
            return []
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(escaped)
        if lines.last == "" {
            lines.removeLast()
        } else {
            lines[lines.count - 1] += "\\c"
        }
        return lines
    }

    private static func escaped(_ line: Data) -> String {
        var text = ""
        var decoder = UTF8()
        var bytes = Array(line)[...]
        while let first = bytes.first {
            var source = bytes.makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&source) {
                bytes = bytes.dropFirst(UTF8.width(scalar))
                text += escaped(scalar)
            } else {
                bytes = bytes.dropFirst()
                text += hexadecimal(first)
            }
            decoder = UTF8()
        }
        return text
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\\\"
        case "\t": "\\t"
        case "\r": "\\r"
        case "\u{1b}": "\\e"
        case "\0"..<" ", "\u{7f}"..."\u{a0}": UTF8.encode(scalar)!.map(hexadecimal).joined()
        default: String(scalar)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
}

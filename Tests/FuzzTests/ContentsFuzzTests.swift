import PasswordStore
import SecretMemory
import Testing

@testable import OneTimePassword

/// The lines and fields of an entry.
@Suite struct ContentsFuzzTests {
    @Test func linesAndFieldsLieWhereTheySayTheyDo() throws {
        try fuzz(
            "contents",
            ["\n", ": ", "login: ", ":", "otpauth://totp/a?secret=AA\n", "://", " ", "\r\n"]
        ) { input in
            let contents = EntryContents(SecretBytes(copying: input.span))
            let lines = contents.lines
            let parts = input.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
            let wanted = parts.last == [] ? Array(parts.dropLast()) : parts
            try require(lines.map { Array(input[$0]) } == withoutCR(wanted, of: input), "other lines")
            for number in [1, wanted.count, wanted.count + 1] {
                let line = contents.line(number)?.bytes
                let isThere = (1...max(1, wanted.count)).contains(number) && !wanted.isEmpty
                try require(line == (isThere ? wanted[number - 1] : nil), "another line \(number)")
            }
            for field in contents.fields { try check(field, of: contents, input, lines) }
            let first = SecretBytes(copying: ([0x78] as [UInt8]).span)
            let replaced = contents.replacingFirstLine(with: first).bytes
            let rest = input.firstIndex(of: 0x0A).map { Array(input[($0 + 1)...]) } ?? []
            try require(replaced == [0x78, 0x0A] + rest, "more than the first line was replaced")
            return !contents.fields.isEmpty
        }
    }

    /// Lines as `lines` has them: a CR before a line feed belongs to the line end; `line(_:)` keeps it.
    private func withoutCR(_ lines: [[UInt8]], of input: [UInt8]) -> [[UInt8]] {
        let closed = input.last == 0x0A ? lines.count : lines.count - 1
        return lines.enumerated().map { number, line in
            number < closed && line.last == 0x0D ? line.dropLast() : line
        }
    }

    private func check(
        _ field: EntryContents.Field,
        of contents: EntryContents,
        _ input: [UInt8],
        _ lines: [Range<Int>]
    ) throws {
        let line = lines.dropFirst().first {
            $0.lowerBound <= field.key.lowerBound && field.value.upperBound == $0.upperBound
        }
        try require(line != nil, "a field outside of all lines")
        let key = Array(input[field.key])
        try require(!key.isEmpty && !key.contains(0x3A) && !key.contains(0x0A), "a key that is none")
        try require(field.key.upperBound < field.value.lowerBound, "no colon between key and value")
        let found = contents.value(ofField: key)?.bytes
        let firstOfKey = contents.fields.first {
            String(lowercased(input[$0.key])) == String(lowercased(key[...]))
        }
        try require(found == firstOfKey.map { Array(input[$0.value]) }, "another value")
    }

    private func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.map { String($0) }.joined(separator: " ")
    }
}

extension SecretBytes {
    /// What tests may do and the tool may not.
    var bytes: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}

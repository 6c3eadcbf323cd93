internal import SecretMemory

/// Several entries as one text for grep(1), and the numbered lines of its output given back to each of them.
struct GrepText: ~Copyable {
    private var text: SecretBuffer
    /// How many lines each entry has.
    private(set) var lineCounts: [Int] = []

    private static let newline = UInt8(ascii: "\n")

    /// Makes an empty text that takes `capacity` bytes before it has to grow.
    init(capacity: Int) { text = SecretBuffer(capacity: capacity) }

    /// Adds an entry; a last line without an end gets one, as it does in what grep prints.
    mutating func append(_ contents: SecretBytes) {
        text.append(contents)
        let (ends, isWhole) = contents.withBytes { bytes in
            (
                bytes.indices.count { bytes[$0] == Self.newline },
                bytes.isEmpty || bytes[bytes.count - 1] == Self.newline
            )
        }
        if !isWhole { text.append(Self.newline) }
        lineCounts.append(isWhole ? ends : ends + 1)
    }

    /// All of it.
    consuming func finish() -> SecretBytes { text.finish() }

    /// The output of `grep --color=always --line-number` for such a text, as the part without numbers for each entry.
    ///
    /// - Parameters:
    ///   - output: what grep printed.
    ///   - lineCounts: how many lines each entry has.
    /// - Returns: for each entry its lines, `nil` when it has none; `nil` when the output has anything but numbered
    ///   lines, such as a message.
    static func split(_ output: SecretBytes, lineCounts: [Int]) -> [SecretBytes?]? {
        output.withBytes { bytes in
            var parts: [SecretBytes?] = []
            var position = 0
            var lastLine = 0
            for count in lineCounts {
                lastLine += count
                var part = SecretBuffer()
                while let (number, start) = number(in: bytes, at: position), number <= lastLine {
                    let end =
                        bytes.indices[start...].first { bytes[$0] == newline }.map { $0 + 1 } ?? bytes.count
                    part.append(bytes.extracting(start..<end))
                    position = end
                }
                parts.append(part.count == 0 ? nil : part.finish())
            }
            return position == bytes.count ? parts : nil
        }
    }

    /// The number at the start of a line, and where what follows begins.
    private static func number(in bytes: Span<UInt8>, at start: Int) -> (number: Int, end: Int)? {
        var position = start
        func skip(_ text: String) -> Bool {
            let text = Array(text.utf8)
            guard position + text.count <= bytes.count,
                text.indices.allSatisfy({ bytes[position + $0] == text[$0] })
            else { return false }
            position += text.count
            return true
        }
        guard skip("\u{1B}[32m\u{1B}[K") else { return nil }
        var number = 0
        let zero = UInt8(ascii: "0")
        while position < bytes.count, (zero...UInt8(ascii: "9")).contains(bytes[position]), number < 1 << 32 {
            number = 10 * number + Int(bytes[position] - zero)
            position += 1
        }
        guard skip("\u{1B}[m\u{1B}[K\u{1B}[36m\u{1B}[K:\u{1B}[m\u{1B}[K") else { return nil }
        return (number, position)
    }
}

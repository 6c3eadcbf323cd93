internal import SecretMemory

/// Lines that a user types.
extension SecretBytes {
    /// The line as pass reads one: without blanks and tabs at both ends, and without NULs.
    var trimmed: SecretBytes {
        withBytes { bytes in
            let range = bytes.indices.trimmed { bytes[$0].isBlank }
            var buffer = SecretBuffer(capacity: range.count)
            for index in range where bytes[index] != 0 { buffer.append(bytes[index]) }
            return buffer.finish()
        }
    }

    /// The same without the line ends at its end, as a shell takes a program's output.
    var withoutLineEnds: SecretBytes {
        let end = withBytes { bytes in
            var end = bytes.count
            while end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            return end
        }
        return slice(0..<end)
    }

    /// The line with a line end.
    var terminated: SecretBytes {
        var buffer = SecretBuffer(capacity: count + 1)
        buffer.append(self)
        buffer.append(UInt8(ascii: "\n"))
        return buffer.finish()
    }
}

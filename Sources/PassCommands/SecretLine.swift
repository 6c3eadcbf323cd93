internal import SecretMemory

/// Lines that a user types.
extension SecretBytes {
    /// The line as pass reads one: without blanks and tabs at both ends, and without NULs.
    var trimmed: SecretBytes {
        withBytes { bytes in
            var start = 0
            var end = bytes.count
            while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
            var buffer = SecretBuffer(capacity: end - start)
            for index in start..<end where bytes[index] != 0 { buffer.append(bytes[index]) }
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

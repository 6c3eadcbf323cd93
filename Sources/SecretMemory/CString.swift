internal import Glibc

// How bytes reach C, and nothing else may take them there: C ends a string at its first NUL, and so would cut it.

extension [UInt8] {
    /// Whether C would cut these bytes short.
    package var holdsNUL: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0, bytes.count) != nil
        }
    }
}

extension SecretBytes {
    /// Whether a program that takes it for a C string would cut it short.
    package var holdsNUL: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0, bytes.count) != nil
        }
    }
}

/// Lends `bytes` as a C string.
///
/// - Precondition: they hold no NUL. Bytes from outside are refused where they come in.
package func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    precondition(!bytes.holdsNUL, "C would cut a string at its NUL")
    var terminated = bytes
    terminated.append(0)
    return terminated.withUnsafeBytes { buffer in
        guard let start = buffer.bindMemory(to: CChar.self).baseAddress else {
            preconditionFailure("a string with a final NUL has at least one byte")
        }
        return body(start)
    }
}

/// Lends `texts` as C strings in an array that ends with a null pointer.
///
/// - Precondition: none of them holds a NUL.
package func withCStrings<Result>(
    _ texts: [[UInt8]],
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    var joined: [UInt8] = []
    var starts: [Int] = []
    for text in texts {
        precondition(!text.holdsNUL, "C would cut a string at its NUL")
        starts.append(joined.count)
        joined += text
        joined.append(0)
    }
    return joined.withUnsafeBytes { buffer in
        let start = buffer.bindMemory(to: CChar.self).baseAddress
        var pointers = starts.map { offset in start.map { $0 + offset } } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { preconditionFailure("the array ends with a null") }
            return body(first)
        }
    }
}

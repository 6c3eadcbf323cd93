internal import CGPGME
internal import Glibc

// What C hands over, and what it wants: strings that end in a NUL, and linked lists.

/// Lends `bytes` as a C string; `nil` stays a null pointer.
func withOptionalCString<Result>(
    _ bytes: [UInt8]?,
    _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let bytes else { return body(nil) }
    return withCString(bytes) { body($0) }
}

/// Lends `bytes` as a C string.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { text in
            guard let start = text.baseAddress else { preconditionFailure("a C string has at least a NUL") }
            return body(start)
        }
    }
}

/// Copies a C string; a null pointer gives no bytes.
func bytes(of text: UnsafePointer<CChar>?) -> [UInt8] {
    guard let text else { return [] }
    return UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
}

/// Lends `texts` as C strings in an array that ends with a null pointer.
func withCStrings<Result>(
    _ texts: [[UInt8]],
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let starts = texts.indices.map { index in texts[..<index].reduce(0) { $0 + $1.count + 1 } }
    let joined = texts.reduce(into: [UInt8]()) { $0 += $1 + [0] } + [0]
    return withCString(joined) { start in
        var pointers: [UnsafePointer<CChar>?] = starts.map { start + $0 } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { preconditionFailure("the array ends with a null") }
            return body(first)
        }
    }
}

/// Copies the nodes of a linked list of GPGME into an array.
func nodes<Node>(
    _ first: UnsafeMutablePointer<Node>?,
    _ next: KeyPath<Node, UnsafeMutablePointer<Node>?>
) -> [Node] {
    var nodes: [Node] = []
    var node = first
    while let current = node?.pointee {
        nodes.append(current)
        node = current[keyPath: next]
    }
    return nodes
}

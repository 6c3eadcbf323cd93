internal import CGPGME
internal import Glibc
internal import SecretMemory

// What C hands over, and what it wants: strings that end in a NUL, and linked lists.

/// Lends `bytes` as a C string; `nil` stays a null pointer.
func withOptionalCString<Result>(
    _ bytes: [UInt8]?,
    _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let bytes else { return body(nil) }
    return withCString(bytes) { body($0) }
}

/// Copies a C string; a null pointer gives no bytes.
func bytes(of text: UnsafePointer<CChar>?) -> [UInt8] {
    guard let text else { return [] }
    return UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
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

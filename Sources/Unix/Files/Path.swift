internal import Glibc
internal import SecretMemory

/// A path as the kernel sees it: bytes, in no particular encoding.
///
/// pass accepts any bytes but NUL and `/` in a name, and so a path is not a `String`.
public struct Path: Hashable, Sendable {
    /// The bytes; none is NUL, so that C reads all of them.
    public let bytes: [UInt8]

    /// Makes a path of the bytes as they are.
    ///
    /// - Precondition: none is NUL. For bytes from outside there is ``init(checking:)``.
    public init(_ bytes: [UInt8]) {
        precondition(!bytes.holdsNUL, "no path holds a NUL")
        self.bytes = bytes
    }

    /// Makes a path of bytes from outside; `nil` when one is NUL.
    public init?(checking bytes: [UInt8]) {
        guard !bytes.holdsNUL else { return nil }
        self.bytes = bytes
    }

    /// Makes a path of the UTF-8 bytes of `text`, which has no U+0000.
    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// Makes a path of a C string, which it frees.
    init(taking text: UnsafeMutablePointer<CChar>) {
        defer { free(text) }
        self.init(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }

    /// Makes a path of names, with a slash between each two.
    public init(components: some Sequence<some Sequence<UInt8>>) {
        self.init(Array(components.joined(separator: CollectionOfOne(UInt8(ascii: "/")))))
    }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Whether it starts at the root of the file system.
    public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Hashes all bytes in one go.
    public func hash(into hasher: inout Hasher) {
        bytes.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The pieces between slashes; doubled and final slashes leave none.
    public var components: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }

    /// What stands after the last slash; everything when there is none.
    public var lastComponent: [UInt8] {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
        return Array(bytes[(slash + 1)...])
    }

    /// What stands before the last slash; empty when there is none.
    public var parent: Path {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return Path([]) }
        return Path(Array(bytes[..<slash]))
    }

    /// This path, a slash if one is needed, and `other`.
    public func appending(_ other: Path) -> Path {
        guard !isEmpty, !other.isEmpty else { return isEmpty ? other : self }
        let slash = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return Path(bytes + slash + other.bytes)
    }

    /// This path with `suffix` right behind its last byte.
    public func withSuffix(_ suffix: String) -> Path { Path(bytes + Array(suffix.utf8)) }

    /// Where this path, which lies below `source`, is when that has become `target`.
    public func moved(from source: Path, to target: Path) -> Path {
        target.appending(Path(components: components.dropFirst(source.components.count)))
    }

    /// This path without `suffix`; unchanged when it does not end so.
    public func withoutSuffix(_ suffix: String) -> Path {
        let suffix = Array(suffix.utf8)
        return bytes.count > suffix.count && bytes.suffix(suffix.count) == suffix[...]
            ? Path(Array(bytes.dropLast(suffix.count))) : self
    }
}

extension Path: ExpressibleByStringLiteral {
    /// Makes a path of the UTF-8 bytes of a literal.
    public init(stringLiteral text: String) { self.init(text) }
}

extension Path: CustomStringConvertible {
    /// The path as text, for messages; bytes that are not UTF-8 show as the replacement character.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

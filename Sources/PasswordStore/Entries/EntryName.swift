internal import SecretMemory
public import Unix

/// The name of an entry or folder as the user typed it, known not to lead out of the store.
///
/// Any bytes but NUL are allowed in a component. A slash in front means the store's root; doubled slashes and `.` are
/// nothing. Source: `check_sneaky_paths` in pass 1.7.4.
public struct EntryName: Hashable, Sendable {
    /// The bytes as they were typed, for messages.
    public let bytes: [UInt8]

    /// The components, without empty ones and `.`.
    public let components: [[UInt8]]

    /// Why a name is refused.
    public enum Refusal: Hashable, Sendable {
        /// A component is `..`.
        case sneaky
        /// A component is a file or folder that the store keeps for itself, such as `.git` or `.gpg-id`, or begins
        /// with `.passchain-tmp.`.
        case reserved([UInt8])
        /// There is no component at all, where an entry is wanted.
        case empty
        /// It ends in `.`, where something is removed or moved.
        case endsInDot
        /// A link on the way leads out of the store.
        case leavesStore
        /// It is a link to a file that is no entry, where one is to be written.
        case leadsToNoEntry
        /// A component, with `.gpg`, is longer than 255 bytes, or the whole longer than 4,000.
        case tooLong
        /// A byte is NUL, at which the system would cut the name.
        case holdsNUL
    }

    /// Files and folders that are never entries, in lower case.
    static let reserved: Set<[UInt8]> = Set(
        [
            ".git", ".gpg-id", ".gpg-id.sig", ".gitattributes", ".gitignore", ".gitmodules", ".extensions",
            ".public-keys", ".passchain-pending", ".passchain-pending.new", ".passchain-lock",
        ].map { Array($0.utf8) }
    )

    /// Whether the store keeps a component for itself, in capital or small letters.
    private static func isReserved(_ component: [UInt8]) -> Bool {
        let word = component.map(\.lowercased)
        return reserved.contains(word) || word.starts(with: Store.temporaryPrefix)
    }

    /// Checks a name.
    ///
    /// - Throws: ``StoreError/refusedName(_:_:)``.
    public init(_ bytes: [UInt8]) throws(StoreError) {
        self.bytes = bytes
        let slash = UInt8(ascii: "/")
        components = bytes.split(separator: slash).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
        let refused: Refusal? =
            if bytes.holdsNUL {
                .holdsNUL
            } else if components.contains(Array("..".utf8)) {
                .sneaky
            } else if let word = components.first(where: EntryName.isReserved) {
                .reserved(word)
            } else if components.contains(where: { $0.count > 255 - 4 }) || bytes.count > 4000 {
                .tooLong
            } else {
                nil
            }
        if let refused { throw .refusedName(bytes, refused) }
    }

    /// Checks a name given as text.
    ///
    /// - Throws: ``StoreError/refusedName(_:_:)``.
    public init(_ text: String) throws(StoreError) { try self.init(Array(text.utf8)) }

    /// Whether it names the store itself.
    public var isRoot: Bool { components.isEmpty }

    /// Whether its last component was typed as `.`, which for some commands is more than was meant.
    public var endsInDot: Bool {
        bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) == [UInt8(ascii: ".")]
    }

    /// Whether it was typed with a slash at its end.
    public var hasTrailingSlash: Bool { bytes.last == UInt8(ascii: "/") }

    /// A name as typed, but without one slash at its end, as `insert` and `edit` take it.
    public static func withoutTrailingSlash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes
    }

    /// The bytes as typed, but without one slash at the end.
    public var bytesWithoutTrailingSlash: [UInt8] { EntryName.withoutTrailingSlash(bytes) }

    /// The path of the folder of this name, below the root.
    public var folderPath: Path { Path(components: components) }

    /// The path of the entry's file, below the root.
    public var filePath: Path { folderPath.withSuffix(".gpg") }

    /// The path of the folder that the entry lies in, below the root.
    public var parentPath: Path { Path(components: components.dropLast()) }
}

extension EntryName: CustomStringConvertible {
    /// The name as text; bytes that are not UTF-8 show as the replacement character.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

internal import CUnix
internal import Glibc

/// What one locale says about text: its encoding, its order, and which characters can be printed.
///
/// It is an object of its own, so that nothing depends on the locale of the process. The order is that of `strcoll`.
public final class TextLocale: @unchecked Sendable {
    // Unchecked: a locale object is never changed after it was made, and the functions used here are thread-safe.
    private let raw: locale_t

    /// The name of its encoding, such as `UTF-8` or `ANSI_X3.4-1968`.
    public let codeset: String

    /// Whether names are ordered by the values of their bytes.
    public let ordersByBytes: Bool

    /// The locale `C`: ASCII, in the order of the bytes.
    public static let posix = TextLocale(characters: "C", order: "C")

    /// Makes a locale of two names as `setlocale` takes them, such as `C.UTF-8` or `sv_SE.UTF-8`.
    ///
    /// A name that is not known here counts as `C`, as it does for programs that call `setlocale`.
    public init(characters: String, order: String) {
        guard let plain = newlocale(Self.charactersMask | Self.orderMask, "C", nil) else {
            fatalError("out of memory")
        }
        // A failed call leaves the base as it was.
        let withCharacters = newlocale(Self.charactersMask, characters, plain) ?? plain
        let withOrder = newlocale(Self.orderMask, order, withCharacters)
        raw = withOrder ?? withCharacters
        codeset = String(cString: cunix_codeset(raw))
        let byteOrders = ["C", "POSIX", "C.UTF-8", "C.utf8"]
        ordersByBytes = withOrder == nil || byteOrders.contains(order)
    }

    /// Makes the locale that `LC_ALL`, `LC_CTYPE`, `LC_COLLATE` and `LANG` in `environment` ask for.
    public convenience init(environment: Environment) {
        func name(_ category: String) -> String {
            for variable in ["LC_ALL", category, "LANG"] {
                if let name = environment.nonEmpty(variable) { return String(decoding: name, as: UTF8.self) }
            }
            return "C"
        }
        self.init(characters: name("LC_CTYPE"), order: name("LC_COLLATE"))
    }

    deinit { freelocale(raw) }

    private static let charactersMask = Int32(1 << LC_CTYPE)
    private static let orderMask = Int32(1 << LC_COLLATE)

    /// Whether the first name comes before the second.
    ///
    /// Where the locale sees no difference, the bytes decide.
    func isOrdered(_ first: UnsafePointer<CChar>, before second: UnsafePointer<CChar>) -> Bool {
        if ordersByBytes { return strcmp(first, second) < 0 }
        let order = strcoll_l(first, second, raw)
        return order == 0 ? strcmp(first, second) < 0 : order < 0
    }

    /// How many columns a character takes on a terminal; `nil` for one that cannot be shown.
    ///
    /// For encodings of Unicode. Calls `wcwidth`.
    func width(of scalar: UInt32) -> Int? {
        let width = cunix_character_width(raw, scalar)
        return width < 0 ? nil : Int(width)
    }

    /// The characters that `bytes` consist of in this encoding, and whether each can be printed.
    ///
    /// A byte that belongs to no character stands alone and cannot be printed. In encodings other than UTF-8
    /// every byte is a character. Calls `mbrtowc` and `iswprint_l`, or `isprint_l`.
    public func characters(of bytes: [UInt8]) -> [(range: Range<Int>, isPrintable: Bool)] {
        bytes.withUnsafeBytes { buffer in
            var characters: [(range: Range<Int>, isPrintable: Bool)] = []
            var start = 0
            while start < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
                var isPrintable: Int32 = 0
                let first = rest.bindMemory(to: CChar.self).baseAddress
                let length = cunix_next_character(raw, first, rest.count, &isPrintable)
                characters.append((start..<start + length, isPrintable != 0))
                start += length
            }
            return characters
        }
    }
}

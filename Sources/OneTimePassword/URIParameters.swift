/// What stands behind the question mark of a key URI: where each value is.
///
/// Names count in small and capital letters; `&amp;` from a web page is an `&`; a value that is empty is not there;
/// names that nobody knows are passed over. A second value that differs from the first is an error, because either
/// could be the wrong one.
struct URIParameters {
    private var values: [OTPError.Piece: Range<Int>] = [:]

    private static let pieces: [OTPError.Piece] = [.secret, .algorithm, .digits, .period, .counter, .issuer]

    /// Finds the values in the part of `text` that follows the question mark.
    ///
    /// - Throws: ``OTPError/contradictory(_:)``.
    init(_ text: Span<UInt8>, _ range: Range<Int>) throws(OTPError) {
        var rest = range
        while !rest.isEmpty {
            let end = text.firstIndex(of: UInt8(ascii: "&"), in: rest) ?? rest.upperBound
            try add(text, rest.lowerBound..<end)
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
        }
    }

    /// Where the value is; `nil` when there is none.
    subscript(piece: OTPError.Piece) -> Range<Int>? { values[piece] }

    private mutating func add(_ text: Span<UInt8>, _ pair: Range<Int>) throws(OTPError) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "="), in: pair) else { return }
        let value = text.trimming(equals + 1..<pair.upperBound)
        var name = text.trimming(pair.lowerBound..<equals)
        if text.hasPrefix("amp;", in: name) { name = name.lowerBound + 4..<name.upperBound }
        guard !value.isEmpty,
            let piece = URIParameters.pieces.first(where: { text.decodes(name, to: $0.rawValue) })
        else { return }

        if let earlier = values[piece] {
            // One of two equal counters would be left behind when it is counted on.
            let isSame =
                piece != .counter && earlier.count == value.count
                && zip(earlier, value).allSatisfy { text[$0] == text[$1] }
            guard isSame else { throw .contradictory(piece) }
        }
        values[piece] = value
    }
}

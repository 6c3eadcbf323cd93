internal import Foundation
internal import Unix

/// A point in time as an item keeps it: microseconds, UTC.
struct ItemDate: Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    let microseconds: Int64

    /// - Precondition: within the years 0 to 9999.
    init(microseconds: Int64) { self.microseconds = microseconds }

    /// The years 0 to 9999: what a date's text can say.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

    /// Rounds `date`; nil outside the years 0 to 9999.
    init?(_ date: Date) {
        // From Foundation's own reference date, where a Double is finest.
        let sinceReference = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard abs(sinceReference) < 1e18 else { return nil }
        let microseconds = Int64(sinceReference) + Self.reference.microseconds
        guard Self.range.contains(microseconds) else { return nil }
        self.microseconds = microseconds
    }

    /// 2001-01-01, the reference date of Foundation.
    static let reference = ItemDate(microseconds: 978_307_200_000_000)

    /// The same point in time for Foundation.
    var date: Date {
        Date(timeIntervalSinceReferenceDate: Double(microseconds - Self.reference.microseconds) / 1_000_000)
    }
}

extension ItemDate: Comparable {
    static func < (one: Self, other: Self) -> Bool { one.microseconds < other.microseconds }
}

extension ItemDate {
    /// As it stands in an entry: `2026-11-29T23:09:00.123456Z`.
    var text: String {
        let (days, inDay) = microseconds.dividedTowardsPast(by: 86_400_000_000)
        let (seconds, fraction) = inDay.dividedTowardsPast(by: 1_000_000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
        return "\(CivilDate(daysSince1970: days))T\(clock.joined(separator: ":")).\(fraction.padded(to: 6))Z"
    }

    /// Reads what `text` writes, and nothing else.
    init?(text: [UInt8]) {
        let shape = Array("dddd-dd-ddTdd:dd:dd.ddddddZ".utf8)
        guard text.count == shape.count else { return nil }
        for (byte, form) in zip(text, shape) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard form == UInt8(ascii: "d") ? isDigit : byte == form else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            text[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let day = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        // Refuses what the arithmetic would carry over: a thirteenth month, a sixtieth second.
        guard CivilDate(daysSince1970: day.daysSince1970) == day, hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        let microseconds = seconds * 1_000_000 + number(20..<26)
        guard Self.range.contains(microseconds) else { return nil }
        self.microseconds = microseconds
    }
}

extension ItemDate {
    /// The present.
    static var now: ItemDate {
        ItemDate(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
    }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
    /// The year; 0 is the one before 1.
    package let year: Int64
    /// The month, 1 to 12.
    package let month: Int64
    /// The day of the month, from 1.
    package let day: Int64

    /// Names a day; months and days beyond the end are carried over by ``daysSince1970``.
    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Days are counted in eras of 400 years that begin on the first of March, so that the leap day is the last of its
    // year.
    private static let daysOfEra: Int64 = 146_097
    private static let from1970: Int64 = 719_468

    /// The day that is so many days after 1970-01-01.
    package init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + Self.from1970).dividedTowardsPast(by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
    }

    /// How many days it is after 1970-01-01.
    package var daysSince1970: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedTowardsPast(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - Self.from1970
    }
}

extension CivilDate: CustomStringConvertible {
    /// As in `2026-11-30`.
    package var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
}

extension Int64 {
    /// Divides with a remainder that is never negative.
    package func dividedTowardsPast(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (self % divisor + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }

    /// Its decimal digits, with zeros in front up to `width`.
    package func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

internal import Glibc

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

    private static let secondsOfDay: Int64 = 86_400

    /// The day that is so many days after 1970-01-01.
    ///
    /// Calls `gmtime_r`.
    package init(daysSince1970 days: Int64) {
        var seconds = time_t(days * Self.secondsOfDay)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        self.init(
            year: Int64(fields.tm_year) + 1900,
            month: Int64(fields.tm_mon) + 1,
            day: Int64(fields.tm_mday)
        )
    }

    /// How many days it is after 1970-01-01.
    ///
    /// Calls `timegm`.
    package var daysSince1970: Int64 {
        var fields = tm()
        fields.tm_year = Int32(year - 1900)
        fields.tm_mon = Int32(month - 1)
        fields.tm_mday = Int32(day)
        return Int64(timegm(&fields)).dividedTowardsPast(by: Self.secondsOfDay).quotient
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

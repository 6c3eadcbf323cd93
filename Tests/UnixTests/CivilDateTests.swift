import Foundation
import Testing
import Unix

/// The calendar, against Foundation's and against itself.
@Suite struct CivilDateTests {
    @Test(
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-30", 20_787),
            ("1600-02-29", -135_081), ("0000-03-01", -719_468), ("9999-12-31", 2_932_896),
        ] as [(String, Int64)]
    )
    func knownDays(text: String, days: Int64) {
        #expect(CivilDate(daysSince1970: days).description == text)
        #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
    }

    @Test func everyDayOfEightHundredYearsFollowsTheOneBefore() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        for days in stride(from: Int64(-146_097), through: 146_097, by: 1) {
            let date = CivilDate(daysSince1970: days)
            #expect(date.daysSince1970 == days)
            // Foundation has Julian dates before October 1582.
            guard days % 97 == 0, days > -140_000 else { continue }
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: Double(days) * 86_400)
            )
            #expect(
                parts.year == Int(date.year) && parts.month == Int(date.month) && parts.day == Int(date.day)
            )
        }
    }
}

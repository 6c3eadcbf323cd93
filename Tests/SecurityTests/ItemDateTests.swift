import Foundation
import TestSupport
import Testing

@testable import Security

@Suite struct ItemDateTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000000Z", 0),
        ("2001-01-01T00:00:00.000000Z", 978_307_200_000_000),
        ("2026-11-29T23:09:00.123456Z", 1_795_993_740_123_456),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("2000-02-29T12:00:00.000001Z", 951_825_600_000_001),
        ("0000-01-01T00:00:00.000000Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ])
    func textAndNumberAreOneDate(_ text: String, _ microseconds: Int64) {
        #expect(ItemDate(microseconds: microseconds).text == text)
        #expect(ItemDate(text: Array(text.utf8))?.microseconds == microseconds)
    }

    @Test(arguments: [
        "2026-13-01T00:00:00.000000Z", "2026-02-29T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z",
        "2026-01-01T00:60:00.000000Z", "2026-01-01T00:00:00.00000Z", "2026-01-01 00:00:00.000000Z", "",
        "yesterday",
        "10000-01-01T00:00:00.000000Z", "2026-00-10T00:00:00.000000Z", "2026-01-00T00:00:00.000000Z",
    ])
    func textThatIsNoDateIsRefused(_ text: String) {
        #expect(ItemDate(text: Array(text.utf8)) == nil)
    }

    @Test func aDateThatWasReturnedIsTheSameDateAgain() {
        var random = SeededGenerator.forTest()
        for _ in 0..<10_000 {
            let date = ItemDate(microseconds: .random(in: 0...4_102_444_800_000_000, using: &random))
            #expect(ItemDate(date.date) == date, "\(date), \(random)")
            #expect(ItemDate(text: Array(date.text.utf8)) == date, "\(date), \(random)")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e13, 1e13])
    func datesOutOfReachAreRefused(_ seconds: Double) {
        #expect(ItemDate(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
    }

    @Test func itAgreesWithFoundation() throws {
        let formatter = ISO8601DateFormatter()
        for year in stride(from: 1600, through: 2400, by: 7) {
            let text = "\(year)-03-01T05:06:07Z"
            let date = try #require(formatter.date(from: text))
            #expect(ItemDate(date)?.text == "\(year)-03-01T05:06:07.000000Z")
        }
    }
}

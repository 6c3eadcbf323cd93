internal import GPGME

extension Failure {
    /// gpg's line for a recipient that it cannot use, and why.
    static func line(for problem: RecipientProblem) -> Text {
        "gpg: \(problem.recipient): skipped: \(reason(problem.reason))"
    }

    private static func reason(_ reason: RecipientProblem.Reason) -> Text {
        switch reason {
        case .notARecipient: "Not a GPG id"
        case .unknown: "No public key"
        case .ambiguous(let fingerprints):
            "Several keys fit: \(fingerprints.map(\.digits).joined(separator: ", ")); use a fingerprint"
        case .expired(let time): "Key expired on \(date(time))"
        case .revoked: "Key revoked"
        case .disabled: "Key disabled"
        case .cannotEncrypt: "Key cannot encrypt"
        case .notTrusted: "Key not certified; there is no assurance that it belongs to the named user"
        case .other(let code): "\(code.description)"
        }
    }

    /// A day, as `2026-11-30` in UTC.
    private static func date(_ secondsSince1970: Int64) -> String {
        // Civil from days: the year starts in March, so that the leap day comes last.
        let days = secondsSince1970 / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        return "\(year)-\(twoDigits(civilMonth))-\(twoDigits(day))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

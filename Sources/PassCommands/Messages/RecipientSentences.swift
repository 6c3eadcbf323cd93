internal import GPGME
internal import Unix

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
        CivilDate(daysSince1970: secondsSince1970 / 86_400).description
    }
}

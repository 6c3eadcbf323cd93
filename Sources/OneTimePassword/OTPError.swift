/// Why a key URI gives no code.
///
/// It never carries a piece of the URI, which is a secret.
package enum OTPError: Error, Hashable, Sendable {
    /// A piece of a key URI.
    package enum Piece: String, Sendable {
        case account = "accountname"
        case secret
        case algorithm
        case digits
        case period
        case counter
        case issuer
    }

    /// It does not start with `otpauth://totp` or `otpauth://hotp`, or nothing follows a question mark.
    case notAKeyURI
    /// A piece that is needed is not there, or is empty.
    case missing(Piece)
    /// A piece says something that no code can be made from.
    case invalid(Piece)
    /// A piece is there twice, and says two things.
    case contradictory(Piece)
    /// The counter is at its end.
    case counterExhausted
    /// libgcrypt cannot be used, or refused; its own error code, or 0 when it is too old.
    case library(code: UInt32)
}

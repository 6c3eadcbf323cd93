internal import CGPGME
internal import Glibc

/// The one-time start of GPGME.
enum Engine {
    /// The oldest GPGME that has everything this module calls.
    static let oldestVersion = "1.18.0"
}

internal import Foundation

/// An account and its password.
///
/// ```swift
/// let alice = Credentials(account: "alice", password: "hunter2!")
/// try alice.create(in: keychain)
/// let kept = try Credentials.read("alice", from: keychain)
/// ```
public struct Credentials: Sendable, Hashable, Codable {
    /// The account.
    public var account: String
    /// The password.
    public var password: String

    /// Makes credentials; nothing is kept yet.
    public init(account: String, password: String) {
        self.account = account
        self.password = password
    }

    /// Keeps them as new ones.
    ///
    /// ```swift
    /// try Credentials(account: "alice", password: "hunter2!").create(in: keychain, policy: .standard)
    /// ```
    ///
    /// - Throws: ``KeychainError/duplicateItem`` when the account has a password; ``KeychainError/invalidData`` when
    ///   the password is against `policy`.
    public func create(in keychain: Keychain, policy: PasswordPolicy? = nil) throws(KeychainError) {
        try Self.check(password, policy)
        try keychain.add(password, for: account)
    }

    /// The credentials that are kept for `account`.
    ///
    /// ```swift
    /// let alice = try Credentials.read("alice", from: keychain)
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when there are none.
    public static func read(_ account: String, from keychain: Keychain) throws(KeychainError) -> Credentials {
        Credentials(account: account, password: try keychain.readString(for: account))
    }

    /// Keeps this password in place of the one that is kept for the account.
    ///
    /// ```swift
    /// try Credentials(account: "alice", password: "hunter3!").update(in: keychain)
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when none is kept; ``KeychainError/invalidData`` when the password is
    ///   against `policy`.
    public func update(in keychain: Keychain, policy: PasswordPolicy? = nil) throws(KeychainError) {
        try Self.check(password, policy)
        try keychain.update(password, for: account)
    }

    /// Whether this is the password that is kept for the account.
    ///
    /// ```swift
    /// guard try Credentials(account: name, password: typed).verify(in: keychain) else { … }
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when none is kept.
    public func verify(in keychain: Keychain) throws(KeychainError) -> Bool {
        Self.areEqual(Data(password.utf8), try keychain.read(for: account))
    }

    /// Keeps `newPassword` in place of this one, if this is the one that is kept.
    ///
    /// ```swift
    /// try Credentials(account: "alice", password: old).change(to: new, in: keychain, policy: .standard)
    /// ```
    ///
    /// - Throws: ``KeychainError/notAllowed`` when another password is kept; ``KeychainError/invalidData`` when the
    ///   new one is against `policy`. Nothing changes then.
    public func change(
        to newPassword: String,
        in keychain: Keychain,
        policy: PasswordPolicy? = .standard
    ) throws(KeychainError) {
        guard try verify(in: keychain) else { throw .notAllowed }
        try Credentials(account: account, password: newPassword).update(in: keychain, policy: policy)
    }

    private static func check(_ password: String, _ policy: PasswordPolicy?) throws(KeychainError) {
        if let policy, !policy.accepts(password) { throw .invalidData }
    }

    /// Compares in a time that tells nothing but the lengths.
    private static func areEqual(_ one: Data, _ other: Data) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// The account, and nothing of the password.
    public var description: String { "Credentials(\(account))" }

    /// The account alone, so that `dump` shows no password.
    public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}

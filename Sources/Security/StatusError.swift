/// Why a call is answered with another status than success.
///
/// The only error that travels inside this module.
struct StatusError: Error {
    let status: OSStatus
    /// What is wrong with the call, for `KEYCHAIN_LOG`, without any value; nil when the status says it all.
    let cause: String?
    /// Whether the cause is in the log already.
    var isLogged = false

    init(_ status: OSStatus, _ cause: String? = nil) {
        self.status = status
        self.cause = cause
    }

    /// The same error, which names the key of a caller's dictionary that it is due to.
    func about(_ key: String) -> StatusError {
        StatusError(status, "\(key.prefix(64)): \(cause ?? words)")
    }

    /// The line for the log; nil when there is none to write.
    ///
    /// That nothing is found, or something is there already, is an answer.
    var line: String? {
        guard !isLogged, status != errSecItemNotFound, status != errSecDuplicateItem else { return nil }
        return "\(cause ?? words) (\(status))"
    }

    private var words: String {
        switch status {
        case errSecParam: "the value is not one that is taken here"
        case errSecNoSuchAttr: "items of this class have no such attribute"
        case errSecNoSuchClass: "there is no such class, or the reference is of another one"
        case errSecMissingEntitlement: "the program does not declare this access group"
        case errSecUnimplemented: "not implemented"
        case errSecDataTooLarge: "too long"
        case errSecReadOnlyAttr: "the entry is one secret as a whole and takes no attributes"
        default: "refused"
        }
    }
}

// What is wrong is for people: errors are equal when callers get the same answer.
extension StatusError: Hashable {
    static func == (left: StatusError, right: StatusError) -> Bool { left.status == right.status }

    func hash(into hasher: inout Hasher) { hasher.combine(status) }
}

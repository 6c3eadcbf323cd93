internal import Foundation

/// What went wrong, for whoever sets `KEYCHAIN_LOG=1`: operation, entry and cause, never a secret.
struct KeychainLog: Sendable {
    let isOn: Bool

    init(environment: [String: String]) { isOn = environment["KEYCHAIN_LOG"] == "1" }

    /// Writes one line to standard error.
    func write(_ operation: ItemQuery.Operation, _ cause: String) {
        guard isOn else { return }
        let words = cause.split(whereSeparator: \.isNewline).joined(separator: " ")
        // Nothing can be done about a log that cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("keychain: \(operation): \(words)\n".utf8))
    }
}

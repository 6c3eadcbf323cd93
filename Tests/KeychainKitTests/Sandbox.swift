import Foundation
import TestSupport

/// A store of its own for this process.
///
/// The keychain is the one that the environment names, and an environment belongs to a process. So every test that
/// calls the public functions runs in a process of its own (`processExitsWith:`), which enters a sandbox first.
enum Sandbox {
    /// Makes a keyring and a store and names them in the environment.
    ///
    /// - Returns: the keyring; it must live as long as the store is used.
    @discardableResult
    static func enter(_ more: [String: String] = [:]) throws -> TestKeyring {
        let keyring = try TestKeyring()
        let key = try keyring.makeKey("keychain kit")
        let store = keyring.home + "/store"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
        try Data("\(key)\n".utf8).write(to: URL(fileURLWithPath: store + "/.gpg-id"))
        let variables = [
            "PASSWORD_STORE_DIR": store, "XDG_CACHE_HOME": keyring.home + "/cache",
        ]
        let settings = ["PASSWORD_STORE_", "PASSCHAIN_", "KEYCHAIN_", "GIT_", "XDG_", "LC_", "LANG"]
        for name in ProcessInfo.processInfo.environment.keys where settings.contains(where: name.hasPrefix) {
            unsetenv(name)
        }
        let all = keyring.environment.merging(variables) { $1 }.merging(more) { $1 }
        for (name, value) in all { setenv(name, value, 1) }
        return keyring
    }

    /// The decrypted contents of an entry.
    static func contents(_ name: String, _ keyring: TestKeyring) throws -> String {
        try keyring.gpg(["-d", "\(keyring.home)/store/\(name).gpg"]).text
    }
}

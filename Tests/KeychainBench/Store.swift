import Foundation
import TestSupport

/// Makes a key and a store for it, and names both in the environment.
///
/// - Returns: the store's folder.
func makeStore(_ keyring: TestKeyring) throws -> String {
    let key = try keyring.makeKey("bench")
    let store = keyring.home + "/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    try Data("\(key)\n".utf8).write(to: URL(fileURLWithPath: store + "/.gpg-id"))
    setenv("GNUPGHOME", keyring.home, 1)
    setenv("PASSWORD_STORE_DIR", store, 1)
    setenv("XDG_CACHE_HOME", keyring.home + "/cache", 1)
    return store
}

internal import Foundation
internal import PasswordStore
internal import Synchronization
internal import Unix

extension Keychain {
    /// The keychain that the environment names now: `PASSWORD_STORE_DIR` and the other variables of pass.
    ///
    /// It stays the same, with what it remembers, for as long as the variables do.
    static var current: Keychain {
        let environment = Environment.ofThisProcess()
        let folder = Process.currentFolder() ?? Path([])
        return last.withLock { last in
            if let last, last.environment == environment, last.folder == folder { return last.keychain }
            let keychain = Keychain(environment: environment, currentFolder: folder)
            last = (environment, folder, keychain)
            return keychain
        }
    }

    private static let last = Mutex<(environment: Environment, folder: Path, keychain: Keychain)?>(nil)

    private convenience init(environment: Environment, currentFolder: Path) {
        var variables: [String: String] = [:]
        for name in ["KEYCHAIN_ACCESS_GROUPS", "KEYCHAIN_LOG"] {
            variables[name] = environment[name].map { String(decoding: $0, as: UTF8.self) }
        }
        self.init(
            settings: Settings(environment: environment, currentFolder: currentFolder),
            groups: AccessGroups(environment: variables, propertyList: Bundle.main.infoDictionary),
            cacheFolder: Self.cacheFolder(environment),
            log: KeychainLog(environment: variables)
        )
    }

    /// `passchain` in the user's folder for caches; nil when there is none.
    private static func cacheFolder(_ environment: Environment) -> Path? {
        let caches =
            environment.nonEmpty("XDG_CACHE_HOME").map { Path($0) }
            ?? environment.nonEmpty("HOME").map { Path($0).appending(".cache") }
        guard let caches, caches.isAbsolute else { return nil }
        return caches.appending("passchain")
    }
}

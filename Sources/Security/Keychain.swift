internal import Foundation
internal import PasswordStore
internal import Synchronization
internal import Unix

/// The items of one store, as one program may use them.
///
/// Any number of threads and processes may work on the same store. Reads take no lock: they see each entry as it was
/// before a change or after it. Changes wait for each other, first those of this process and then, at the store's own
/// lock, those of others.
final class Keychain: Sendable {
    let store: Store
    /// The same store, which answers instead of asking for a passphrase.
    let silentStore: Store
    let groups: AccessGroups
    let index: AttributeIndex
    let log: KeychainLog
    let writers = Mutex(())

    init(settings: Settings, groups: AccessGroups, cacheFolder: Path?, log: KeychainLog) {
        store = Store(settings)
        var silent = settings
        silent.gpgOptions += ["--pinentry-mode", "error"].map { Array($0.utf8) }
        silentStore = Store(silent)
        self.groups = groups
        self.log = log
        index = AttributeIndex(of: store, in: cacheFolder)
    }

    /// The store that a query reads from.
    func store(for query: ItemQuery) -> Store { query.prompting == .allowed ? store : silentStore }

    /// Runs `body` with the errors of the store as statuses, and logs them.
    func answering<Result>(
        _ operation: ItemQuery.Operation,
        _ body: () throws(StoreError) -> Result
    ) throws(StatusError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw statusError(StoreFailure(error, in: store), operation)
        }
    }

    /// Logs `failure` and makes a status of it.
    func statusError(_ failure: StoreFailure, _ operation: ItemQuery.Operation) -> StatusError {
        log.write(operation, failure.cause)
        var error = StatusError(failure.status, failure.cause)
        error.isLogged = true
        return error
    }
}

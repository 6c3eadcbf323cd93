import Foundation
import TestSupport

/// A GnuPG folder with all the test keys of `Fixtures/keys`.
///
/// It is made once and copied for each session, as importing takes much longer.
enum EndToEndKeyring {
    private static let prepared = Result {
        let keyring = try TestKeyring()
        let script = Folders.fixtures.appending(path: "keys/make-keyring.sh")
        let outcome = try keyring.run("sh", [script.path, keyring.home])
        guard outcome.status == 0 else {
            throw SessionFailure(description: String(decoding: outcome.errors, as: UTF8.self))
        }
        return keyring
    }

    /// Puts a keyring into a scratch home.
    static func install(in store: TemporaryStore) throws {
        try FileManager.default.copyItem(at: URL(filePath: prepared.get().home), to: store.gnupgHome)
    }
}

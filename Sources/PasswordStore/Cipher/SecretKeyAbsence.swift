internal import GPGME
internal import Synchronization
internal import Unix

/// Whether secret keys are known not to be here, which gpg's word alone does not say.
///
/// gpg has no secret key, in its words, when it cannot reach an agent, and when it cannot read its keyring; and the agent
/// has none when it cannot read its files. An entry counts as somebody else's only when the keyring was read, the agent
/// answered, and no file of such a key exists.
final class SecretKeyAbsence: Sendable {
    private let settings: Settings
    /// The keys that were found to be absent, and when.
    private let known = Mutex<(keys: Set<KeyID>, since: Stopwatch)>(([], Stopwatch()))

    /// How long that is believed: a search meets many entries for the same others.
    private static let validity = Duration.seconds(1)

    init(_ settings: Settings) { self.settings = settings }

    /// Why a message for `recipients` was not decrypted, for which gpg found no secret key.
    ///
    /// - Returns: `noSecretKey` when none is here; `tryAgain` when one is here now; another code when nobody can tell.
    func reason(of recipients: [KeyID], asking context: Context) -> GPGMEError.Code {
        let isKnown = known.withLock { known in
            known.since.elapsed < Self.validity && known.keys.isSuperset(of: recipients)
        }
        if isKnown { return .noSecretKey }
        let since = Stopwatch()
        let reason: GPGMEError.Code
        do throws(GPGMEError) {
            reason = try findOut(recipients, context)
        } catch {
            reason = error.code
        }
        guard reason == .noSecretKey else { return reason }
        known.withLock { known in
            if known.since.elapsed >= Self.validity { known = ([], since) }
            known.keys.formUnion(recipients)
        }
        return .noSecretKey
    }

    private func findOut(_ recipients: [KeyID], _ context: Context) throws(GPGMEError) -> GPGMEError.Code {
        do throws(Errno) {
            if let home = settings.gnuPGFolder { _ = try ConfinedFolder(home) }
        } catch {
            return GPGMEError.Code(errno: error.code)
        }
        switch settings.keyringProblem {
        case .unreadableKeyring(_, let error): return GPGMEError.Code(errno: error.code)
        case .some: return .invalidKeyring
        case nil: break
        }
        let isAnyPossible = recipients.contains(.hidden)
        let ids = recipients.filter { $0 != .hidden }.map { Array($0.description.utf8) }
        // Whom a hidden recipient stands for only a try with every key shows.
        let keys = try context.keysWithGrips(matching: isAnyPossible ? nil : ids)
        if keys.isEmpty, let code = try failureOfEmptyKeyring(context) { return code }
        let subkeys = keys.flatMap(\.subkeys).filter { isAnyPossible || recipients.contains($0.keyID) }
        for subkey in subkeys {
            let file = "private-keys-v1.d/\(String(decoding: subkey.keygrip, as: UTF8.self)).key"
            if let code = failure(file) { return code }
        }
        // Without its public key gpg cannot use a secret one, and asks no agent.
        let fingerprints = keys.map { Array($0.fingerprint.digits.utf8) }
        let secret = try context.secretKeys(matching: fingerprints).flatMap(\.subkeys).filter(\.hasSecret)
        return secret.contains { recipients.contains($0.keyID) } ? .tryAgain : .noSecretKey
    }

    /// What is wrong when gpg knows no public key at all beside secret ones, which were of use once.
    private func failureOfEmptyKeyring(_ context: Context) throws(GPGMEError) -> GPGMEError.Code? {
        do throws(Errno) {
            guard try settings.holdsSecretKeys else { return nil }
        } catch {
            return GPGMEError.Code(errno: error.code)
        }
        return try context.keysWithGrips(matching: nil).isEmpty ? .invalidKeyring : nil
    }

    /// Why a file of gpg's home cannot be read; `nil` when it can, or is not there.
    private func failure(_ name: String) -> GPGMEError.Code? {
        guard let home = settings.gnuPGFolder else { return nil }
        guard case .unreadable(let error) = FileAccess(home.appending(Path(Array(name.utf8)))) else {
            return nil
        }
        return GPGMEError.Code(errno: error.code)
    }
}

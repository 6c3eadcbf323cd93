internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// How a store reaches GnuPG.
///
/// gpg itself encrypts and decrypts, see ``DirectGPG``. GPGME finds the session key where the user has to be asked for
/// something, looks keys up, signs and verifies. It takes no free options, but any program as its engine: where
/// `PASSWORD_STORE_GPG_OPTS` is set, to sign, and to find a session key, that is a small script of our own that runs gpg
/// with those options in front of GPGME's; it is made for this user alone at the first use, and removed with the last
/// reference to the store or at the program's exit.
///
/// GPGME goes by the variables of this process. Where those of the settings mean another gpg or another home, it is
/// told so.
final class GnuPG: Sendable {
    private let settings: Settings
    private let userOptions: GnuPGOptions
    private let setups = Mutex<[Purpose: Setup]>([:])
    private let direct: DirectDecryption
    private let absence: SecretKeyAbsence

    /// What a context is for.
    enum Purpose {
        /// To look keys up, and to verify.
        case keys
        /// To sign: `textmode` in a `gpg.conf` would have another text signed.
        case signatures
        /// To find session keys, which gpg writes into its log: a `logger-file` in a `gpg.conf` may be on a disk.
        case sessionKeys
    }

    /// What GPGME is told of gpg.
    private struct Setup {
        let options: EngineOptions
        /// The script, where there is one; it goes with the last reference.
        let wrapper: ScratchProgram?
    }

    private let passphrase: GivenPassphrase?
    private let statusLines: (@Sendable ([UInt8]) -> Void)?

    init(_ settings: Settings, statusLines: (@Sendable ([UInt8], Int32) -> Void)?) {
        self.settings = settings
        absence = SecretKeyAbsence(settings)
        let userOptions = GnuPGOptions(settings.gpgOptions)
        self.userOptions = userOptions
        passphrase = userOptions.passphraseDescriptor.map { GivenPassphrase(from: .inherited($0)) }
        if let statusLines, let descriptor = userOptions.statusDescriptor {
            self.statusLines = { statusLines($0, descriptor) }
        } else {
            self.statusLines = nil
        }
        direct = DirectDecryption(settings, statusLines: self.statusLines)
    }

    /// What a message holds, as far as that can be found out without a question to the user.
    func decryptDirectly(_ message: AcceptableMessage) -> DirectDecryption.Answer { direct.decrypt(message) }

    /// What a message holds whose session key GPGME found.
    func decrypt(_ message: AcceptableMessage, with sessionKey: SecretBytes) -> DirectDecryption.Answer {
        direct.decrypt(message, with: sessionKey)
    }

    /// Hands on what gpg's status lines say of bytes that are no message to decrypt, where these lines are wanted.
    func reportRefusal(of bytes: [UInt8]) { direct.report(bytes) }

    /// The last time that ``decryptDirectly(_:)`` had no answer, the reason was one that passes.
    func forgetDirectFailure() { direct.forgetFailure() }

    /// Why no session key was found: all that can be found out about `error` of `context`.
    func explain(_ error: GPGMEError, decrypting message: AcceptableMessage, in context: Context)
        -> GPGMEError
    {
        let hasEndedEarly = context.isFailureUnclear && error.code.kind == .damagedMessage
        if error.code == .general || hasEndedEarly {
            return DecryptionTrial(settings).explain(error, of: message.bytes)
        }
        return GPGMEError(.decrypt, reason(of: error, decrypting: message, in: context))
    }

    /// Why no session key was found, where `error` of `context` leaves that open.
    private func reason(
        of error: GPGMEError,
        decrypting message: AcceptableMessage,
        in context: Context
    ) -> GPGMEError.Code {
        guard error.code == .noSecretKey || context.isFailureUnclear else { return error.code }
        let recipients = message.packets.recipients
        guard context.isFailureUnclear else {
            let reason = absence.reason(of: recipients, asking: context)
            guard reason == .noSecretKey, recipients.contains(.hidden) else { return reason }
            // Of a recipient who is hidden gpg says the same when it had no memory for the right key.
            let succeeded = (0..<3).contains { _ in (try? context.sessionKey(of: message)) != nil }
            return succeeded ? .tryAgain : .noSecretKey
        }
        let reason = DecryptionTrial(settings).reason(of: message.bytes)
        guard reason == nil || reason == .noSecretKey else { return reason ?? error.code }
        let absent = absence.reason(of: recipients, asking: context)
        // The key is here and gpg does not say what is wrong with it.
        return absent == .tryAgain && reason == nil ? error.code : absent
    }

    /// Starts an encryption; `nil` where gpg cannot be started, or no recipient looks like one.
    func startEncryption(of plaintext: SecretBytes, to recipients: [[UInt8]]) -> DirectEncryption? {
        DirectEncryption(of: plaintext, to: recipients, settings)
    }

    /// Waits for an encryption.
    func finish(_ encryption: DirectEncryption) -> DirectEncryption.Outcome {
        let outcome = encryption.finish()
        if let statusLines { outcome.report.lines.forEach(statusLines) }
        return outcome
    }

    /// A context that is opened when something needs it.
    func lazyContext() -> LazyContext { LazyContext(self) }

    /// A context for one operation, or for several one after the other.
    ///
    /// - Parameter purpose: what it is for.
    /// - Returns: the context.
    /// - Throws: ``StoreError``: `noGPG`, `gnuPG`, `unusableVariable`, and `file` where there is a script, which no folder
    ///   takes.
    func context(for purpose: Purpose = .keys) throws(StoreError) -> Context {
        if let variable = settings.unusableVariable { throw .unusableVariable(variable) }
        let options = try options(for: purpose)
        do throws(GPGMEError) {
            return try Context(options, passphrases: passphrase, statusLines: statusLines)
        } catch {
            throw GnuPG.find(in: settings.environment) == nil ? .noGPG : .gnuPG(error)
        }
    }

    /// A context to find session keys.
    ///
    /// Where no folder takes a program of ours, a `logger-file` of the user's gets these keys.
    func contextForSessionKeys() throws(StoreError) -> Context {
        do throws(StoreError) {
            return try context(for: .sessionKeys)
        } catch {
            guard case .file = error else { throw error }
            return try context()
        }
    }

    private func options(for purpose: Purpose) throws(StoreError) -> EngineOptions {
        try setups.withLock { (setups) throws(StoreError) in
            if let setup = setups[purpose] { return setup.options }
            let made = try setUp(for: purpose)
            setups[purpose] = made
            return made.options
        }
    }

    private func setUp(for purpose: Purpose) throws(StoreError) -> Setup {
        let ofProcess = Environment.ofThisProcess()
        let home = settings.gnuPGHome == ofProcess.gnuPGHome ? nil : settings.gnuPGHome
        let gpg = GnuPG.find(in: settings.environment)
        guard !settings.gpgOptions.isEmpty || purpose != .keys else {
            let isOwn = gpg == GnuPG.find(in: ofProcess)
            return Setup(options: EngineOptions(home: home, program: isOwn ? nil : gpg?.bytes), wrapper: nil)
        }
        guard let gpg else { throw .noGPG }
        let wrapper = try asStoreError { () throws(Errno) in
            let script = GnuPG.script(gpg, userOptions.words, for: purpose)
            return try ScratchProgram(script, named: "gpg", settings.environment)
        }
        return Setup(options: EngineOptions(home: home, program: wrapper.path.bytes), wrapper: wrapper)
    }

    /// The gpg that the variables mean.
    static func find(in environment: Environment) -> Path? { environment.findProgram(program(environment)) }

    /// `gpg2` where there is one, else `gpg`, as pass has it.
    static func program(_ environment: Environment) -> [UInt8] {
        let newer = Array("gpg2".utf8)
        return environment.findProgram(newer) == nil ? Array("gpg".utf8) : newer
    }

    /// A program that runs gpg with `options` in front of those that it is given, but for the descriptor of the log.
    ///
    /// GPGME always gives the log a descriptor. gpg then closes the one that `logger-fd` in a `gpg.conf` names, and where
    /// that is 1 it writes its output into the file that it opens next. A file for the log closes that descriptor, too: only
    /// where gpg writes no output there may be one.
    private static func script(_ gpg: Path, _ options: [[UInt8]], for purpose: Purpose) -> [UInt8] {
        let log = purpose == .sessionKeys ? ["--logger-file", "/dev/null"] : []
        let own = (["--no-textmode", "--output", "-"] + log).map { Array($0.utf8) }
        let words = ([gpg.bytes] + options + own).map(shellQuoted)
        let begin = """
            #!/bin/sh
            count=$#
            while [ "$count" -gt 0 ]; do
                count=$((count - 1)) word=$1
                shift
                if [ "$word" = --logger-fd ]; then
                    count=$((count - 1))
                    shift
                else
                    set -- "$@" "$word"
                fi
            done
            exec\u{20}
            """
        return Array(begin.utf8) + words.joined(separator: " ".utf8) + Array(" \"$@\"\n".utf8)
    }

    /// A word that a shell takes as it is.
    private static func shellQuoted(_ word: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "'")
        return [quote] + word.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
    }
}

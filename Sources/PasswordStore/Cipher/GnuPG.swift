internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// How a store reaches GnuPG.
///
/// GPGME takes no free options, but it takes any program as its engine. Where `PASSWORD_STORE_GPG_OPTS` is set, and
/// only there, that is a small script of our own that runs gpg with those options in front of GPGME's; it is made for
/// this user alone at the first use, and removed with the last reference to the store or at the program's exit.
///
/// GPGME goes by the variables of this process. Where those of the settings mean another gpg or another home, it is
/// told so.
final class GnuPG: Sendable {
    private let settings: Settings
    private let userOptions: GnuPGOptions
    private let setup = Mutex<Setup?>(nil)
    private let direct: DirectDecryption
    private let absence: SecretKeyAbsence

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
        direct = DirectDecryption(settings)
        absence = SecretKeyAbsence(settings)
        let userOptions = GnuPGOptions(settings.gpgOptions)
        self.userOptions = userOptions
        passphrase = userOptions.passphraseDescriptor.map { GivenPassphrase(from: .inherited($0)) }
        if let statusLines, let descriptor = userOptions.statusDescriptor {
            self.statusLines = { statusLines($0, descriptor) }
        } else {
            self.statusLines = nil
        }
    }

    /// What a message holds, without GPGME; `nil` where that takes GPGME to find out.
    func decryptDirectly(_ message: [UInt8]) -> SecretBytes? { direct.decrypt(message) }

    /// The last time that ``decryptDirectly(_:)`` had no answer, the reason was one that passes.
    func forgetDirectFailure() { direct.forgetFailure() }

    /// Why a message could not be decrypted, where `error` of `context` leaves that open.
    func reason(of error: GPGMEError, decrypting message: [UInt8], in context: Context) -> GPGMEError.Code {
        guard error.code == .noSecretKey || context.isFailureUnclear,
            let recipients = try? MessagePackets.recipients(of: message.span)
        else { return error.code }
        guard context.isFailureUnclear else {
            let reason = absence.reason(of: recipients, asking: context)
            guard reason == .noSecretKey, recipients.contains(.hidden) else { return reason }
            // Of a recipient who is hidden gpg says the same when it had no memory for the right key.
            let succeeded = (0..<3).contains { _ in
                (try? context.decrypt(message.span, limit: settings.sizeLimit)) != nil
            }
            return succeeded ? .tryAgain : .noSecretKey
        }
        let reason = DecryptionTrial(settings).reason(of: message)
        guard reason == nil || reason == .noSecretKey else { return reason ?? error.code }
        let absent = absence.reason(of: recipients, asking: context)
        // The key is here and gpg does not say what is wrong with it.
        return absent == .tryAgain && reason == nil ? error.code : absent
    }

    /// Starts an encryption without GPGME; `nil` where only GPGME will do.
    func startEncryption(of plaintext: SecretBytes, to recipients: [[UInt8]]) -> DirectEncryption? {
        DirectEncryption(of: plaintext, to: recipients, settings)
    }

    /// A context that is opened when something needs it.
    func lazyContext() -> LazyContext { LazyContext(self) }

    /// A context for one operation, or for several one after the other.
    func context() throws(StoreError) -> Context {
        if let variable = settings.unusableVariable { throw .unusableVariable(variable) }
        let options = try options()
        do throws(GPGMEError) {
            return try Context(options, passphrases: passphrase, statusLines: statusLines)
        } catch {
            throw GnuPG.find(in: settings.environment) == nil ? .noGPG : .gnuPG(error)
        }
    }

    private func options() throws(StoreError) -> EngineOptions {
        try setup.withLock { (setup) throws(StoreError) in
            if let setup { return setup.options }
            let made = try setUp()
            setup = made
            return made.options
        }
    }

    private func setUp() throws(StoreError) -> Setup {
        let ofProcess = Environment.ofThisProcess()
        let home = settings.gnuPGHome == ofProcess.gnuPGHome ? nil : settings.gnuPGHome
        let gpg = GnuPG.find(in: settings.environment)
        guard !settings.gpgOptions.isEmpty else {
            let isOwn = gpg == GnuPG.find(in: ofProcess)
            return Setup(options: EngineOptions(home: home, program: isOwn ? nil : gpg?.bytes), wrapper: nil)
        }
        guard let gpg else { throw .noGPG }
        let wrapper = try asStoreError { () throws(Errno) in
            try ScratchProgram(GnuPG.script(gpg, userOptions.words), named: "gpg", settings.environment)
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

    private static func script(_ gpg: Path, _ options: [[UInt8]]) -> [UInt8] {
        let words = ([gpg.bytes] + options).map(shellQuoted)
        return Array("#!/bin/sh\nexec ".utf8) + words.joined(separator: " ".utf8) + Array(" \"$@\"\n".utf8)
    }

    /// A word that a shell takes as it is.
    private static func shellQuoted(_ word: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "'")
        return [quote] + word.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
    }
}

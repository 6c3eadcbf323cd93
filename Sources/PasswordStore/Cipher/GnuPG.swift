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

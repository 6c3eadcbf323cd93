internal import CGPGME
internal import SecretMemory

/// One line to GnuPG: a `gpgme_ctx_t` that speaks OpenPGP and never uses the network.
///
/// It belongs to one thread at a time. Make one for each operation, or one for each thread: after the first, which
/// starts GnuPG to ask for its version, a context costs microseconds.
public final class Context {
    let raw: gpgme_ctx_t
    let options: EngineOptions
    let statusLog: StatusLog
    private let passphrases: PassphraseHook?

    /// Whether keys are listed with their keygrips.
    var listsGrips = false

    /// Whether GnuPG did not say why the last decryption failed, as with `quiet` in `gpg.conf`.
    package internal(set) var isFailureUnclear = false

    /// Opens a context.
    ///
    /// Calls `gpgme_new`, and `gpgme_ctx_set_engine_info` for options that are set.
    ///
    /// - Parameters:
    ///   - options: which GnuPG to use.
    ///   - passphrases: asked in place of the user's pinentry; `nil` leaves that to the user's agent.
    ///   - statusLines: is handed each status line of GnuPG, keyword and arguments. They hold no secret.
    /// - Throws: ``GPGMEError`` of operation `start` when GPGME or GnuPG is too old, or GnuPG is missing.
    public init(
        _ options: EngineOptions = EngineOptions(),
        passphrases: (any PassphraseProvider)? = nil,
        statusLines: (([UInt8]) -> Void)? = nil
    ) throws(GPGMEError) {
        try Engine.start()
        var context: gpgme_ctx_t?
        try GPGMEError.check(gpgme_new(&context), .start)
        guard let context else { preconditionFailure("GPGME reported success without a context") }
        raw = context
        self.options = options
        statusLog = StatusLog(forward: statusLines)
        self.passphrases = passphrases.map(PassphraseHook.init)
        try GPGMEError.check(gpgme_set_protocol(raw, GPGME_PROTOCOL_OpenPGP), .start)
        // Becomes `--disable-dirmngr`: without it gpg looks an unknown mail address up in the web.
        gpgme_set_offline(raw, 1)
        try select(options)
        guard Engine.isSupported(engine.version) else { throw GPGMEError(.start, .invalidEngine) }
        try statusLog.install(in: raw)
        try self.passphrases?.install(in: raw)
    }

    deinit { gpgme_release(raw) }

    /// The program that is run, and the version that it told.
    ///
    /// Calls `gpgme_ctx_get_engine_info`.
    var engine: (program: [UInt8], version: [UInt8]) {
        let engine = nodes(gpgme_ctx_get_engine_info(raw), \.next)
            .first { $0.protocol == GPGME_PROTOCOL_OpenPGP }
        return (bytes(of: engine?.file_name), bytes(of: engine?.version))
    }

    private func select(_ options: EngineOptions) throws(GPGMEError) {
        guard options.home != nil || options.program != nil else { return }
        guard options.home?.holdsNUL != true, options.program?.holdsNUL != true else {
            throw GPGMEError(.start, .invalidValue)
        }
        let status = withOptionalCString(options.program) { program in
            withOptionalCString(options.home) { home in
                gpgme_ctx_set_engine_info(raw, GPGME_PROTOCOL_OpenPGP, program, home)
            }
        }
        try GPGMEError.check(status, .start)
    }
}

@available(*, unavailable, message: "a context belongs to one thread at a time")
extension Context: Sendable {}

internal import PasswordStore
internal import SecretMemory
internal import Unix

/// The clipboard, reached by the program that pass uses: `wl-copy` on Wayland, `xclip` or `xsel` on X11.
struct Clipboard {
    private let copyCommand: Subprocess
    private let pasteCommand: Subprocess
    /// The display's name, which also names the process that waits for its turn to restore.
    private let display: [UInt8]
    /// How long a secret stays: seconds, and the same as the user wrote it.
    private let time: (seconds: Double, text: [UInt8])

    /// The selections, as xclip(1) calls them; it takes their beginnings, too.
    private static let selections = ["primary", "secondary", "clipboard", "buffer-cut"]

    /// Finds the programs, and makes sure of the variables, before anything is decrypted for them.
    static func find(in session: Session) throws(Failure) -> Clipboard {
        let selection = session.settings.xSelection
        guard Clipboard.selections.contains(where: { $0.utf8.starts(with: selection) }) else {
            throw Failure(
                "Error: PASSWORD_STORE_X_SELECTION \"\(selection)\" is no X selection: "
                    + "primary, secondary or clipboard."
            )
        }
        let text = session.settings.clipTime
        guard let seconds = ClipTime.seconds(text) else {
            throw Failure(
                "Error: PASSWORD_STORE_CLIP_TIME \"\(text)\" is not a time that sleep(1) understands."
            )
        }
        return try find(String(decoding: selection, as: UTF8.self), (seconds, text), session.environment)
    }

    /// Takes the first pair of programs that is here, for a display that is.
    private static func find(
        _ selection: String,
        _ time: (seconds: Double, text: [UInt8]),
        _ environment: Environment
    ) throws(Failure) -> Clipboard {
        let primary = selection == "primary" ? ["--primary"] : []
        let programs = [
            ("WAYLAND_DISPLAY", "wl-copy", primary, "wl-paste", ["-n"] + primary),
            ("DISPLAY", "xclip", ["-selection", selection], "xclip", ["-o", "-selection", selection]),
            ("DISPLAY", "xsel", ["--input", "--\(selection)"], "xsel", ["--output", "--\(selection)"]),
        ]
        for (variable, copy, copyWords, paste, pasteWords) in programs {
            if let display = environment.nonEmpty(variable),
                let copy = environment.findProgram(Array(copy.utf8)),
                let paste = environment.findProgram(Array(paste.utf8))
            {
                return Clipboard(copy, copyWords, paste, pasteWords, display: display, time, environment)
            }
        }
        guard programs.allSatisfy({ environment.nonEmpty($0.0) == nil }) else {
            throw Failure("Error: No X11 or Wayland display and clipper detected")
        }
        throw Failure("Error: No X11 or Wayland display detected")
    }

    private init(
        _ copy: Path,
        _ copyWords: [String],
        _ paste: Path,
        _ pasteWords: [String],
        display: [UInt8],
        _ time: (seconds: Double, text: [UInt8]),
        _ environment: Environment
    ) {
        self.time = time
        copyCommand = Subprocess(copy, copyWords.map { Array($0.utf8) }, environment: environment)
        var pasteCommand = Subprocess(paste, pasteWords.map { Array($0.utf8) }, environment: environment)
        pasteCommand.output = .secret
        self.pasteCommand = pasteCommand
        self.display = display
    }

    /// Puts a secret on the clipboard, and has what was there before put back after the time that the settings say.
    func copy(_ secret: SecretBytes, of name: [UInt8], in session: Session) throws(Failure) {
        // xsel would cut it, and then nothing would take the rest away.
        guard !secret.holdsNUL else { throw Failure(holdingNUL: name, "the clipboard") }
        do throws(Errno) {
            try endEarlierRestorer(session.environment)
            let before = try paste()
            try put(secret, isSensitive: true)
            do throws(Errno) {
                try ClipboardRestorer.start(
                    before: before,
                    secret: secret,
                    seconds: time.seconds,
                    name: restorerName,
                    session.environment
                )
            } catch {
                // Nobody would take it away again.
                try put(before)
                throw error
            }
        } catch {
            throw Failure("Error: Could not copy data to the clipboard")
        }
        try session.output.line("Copied \(name) to clipboard. Will clear in \(time.text) seconds.")
    }

    /// What the clipboard holds; nothing when it cannot be read.
    func paste() throws(Errno) -> SecretBytes {
        let outcome = try pasteCommand.run()
        return outcome.status == 0 ? outcome.secretOutput : .empty
    }

    /// Puts bytes on the clipboard; sensitive ones with the hint for its managers not to keep them, where the program
    /// can give it.
    ///
    /// The program goes on in the background to serve them, and so gets none of our outputs: whoever reads those would
    /// wait for it.
    func put(_ bytes: SecretBytes, isSensitive: Bool = false) throws(Errno) {
        var child = copyCommand
        if isSensitive, try canHint() { child.arguments.append(Clipboard.hint) }
        child.input = .secret(bytes)
        child.output = .nowhere
        child.errorOutput = .nowhere
        guard try child.run().status == 0 else { throw Errno(.write, "clipboard", code: 0) }
    }

    /// The option of newer versions of wl-copy by which managers of the clipboard know a password.
    private static let hint = Array("--sensitive".utf8)

    /// Whether the program knows the option.
    ///
    /// Its file tells: to ask it could change the clipboard, if it is a script that stands in for wl-copy.
    private func canHint() throws(Errno) -> Bool {
        guard copyCommand.program.lastComponent == Array("wl-copy".utf8) else { return false }
        let file = try readFile(copyCommand.program, limit: 16 * 1024 * 1024)
        let word = Clipboard.hint.dropFirst(2)
        return file.indices.contains { file[$0] == word.first && file[$0...].starts(with: word) }
    }

    /// By this name any pass, ours or the original, finds the process that waits.
    private var restorerName: [UInt8] { Array("password store sleep on display ".utf8) + display }

    /// Has a process that waits to restore do so now, so that the first content is what comes back in the end.
    private func endEarlierRestorer(_ environment: Environment) throws(Errno) {
        guard let pkill = environment.findProgram(Array("pkill".utf8)) else { return }
        let outcome = try Subprocess(
            pkill,
            [Array("-f".utf8), [UInt8(ascii: "^")] + restorerName],
            environment: environment
        ).run()
        if outcome.status == 0 { Interruption.sleep(seconds: 0.5) }
    }
}

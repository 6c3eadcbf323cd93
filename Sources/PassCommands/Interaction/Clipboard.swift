internal import PasswordStore
internal import SecretMemory
internal import Unix

/// The clipboard, reached by the program that pass uses: `wl-copy` on Wayland, `xclip` or `xsel` on X11.
struct Clipboard {
    private let copyCommand: Subprocess
    private let pasteCommand: Subprocess
    /// The display's name, which also names the process that waits to restore.
    let display: [UInt8]
    /// What tells this clipboard from others: the kind of display, the display, the selection.
    let identity: [UInt8]
    /// How long a secret stays: seconds, and the same as the user wrote it.
    let time: (seconds: Double, text: [UInt8])

    /// The selections, as xclip(1) calls them; it takes their beginnings, too.
    private static let selections = ["primary", "secondary", "clipboard", "buffer-cut"]

    /// Finds the programs, and makes sure of the variables, before anything is decrypted for them.
    static func find(in session: Session) throws(Failure) -> Clipboard {
        let selection = session.settings.xSelection
        guard let whole = Clipboard.selections.first(where: { $0.utf8.starts(with: selection) }) else {
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
        return try find(
            (String(decoding: selection, as: UTF8.self), whole),
            (seconds, text),
            session.environment
        )
    }

    /// Takes the first pair of programs that is here, for a display that is.
    private static func find(
        _ selection: (typed: String, whole: String),
        _ time: (seconds: Double, text: [UInt8]),
        _ environment: Environment
    ) throws(Failure) -> Clipboard {
        let primary = selection.typed == "primary" ? ["--primary"] : []
        let (selection, whole) = selection
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
                // Wayland has two of them, and xclip's abbreviations name the same as the whole words.
                let isOther = variable == "WAYLAND_DISPLAY" && primary.isEmpty
                return Clipboard(
                    (copy, copyWords),
                    (paste, pasteWords),
                    display: display,
                    identity: Array("\(variable == "DISPLAY" ? "x" : "wayland")-".utf8)
                        + (variable == "DISPLAY" ? withoutScreen(display) : display)
                        + Array("-\(isOther ? "clipboard" : whole)".utf8),
                    time,
                    environment
                )
            }
        }
        guard programs.allSatisfy({ environment.nonEmpty($0.0) == nil }) else {
            throw Failure("Error: No X11 or Wayland display and clipper detected")
        }
        throw Failure("Error: No X11 or Wayland display detected")
    }

    /// An X display without its screen, all of which share their selections: `:0` for `:0.1`.
    private static func withoutScreen(_ display: [UInt8]) -> [UInt8] {
        guard let dot = display.lastIndex(of: UInt8(ascii: ".")),
            let colon = display.lastIndex(of: UInt8(ascii: ":")), colon < dot
        else { return display }
        return Array(display[..<dot])
    }

    private init(
        _ copy: (program: Path, words: [String]),
        _ paste: (program: Path, words: [String]),
        display: [UInt8],
        identity: [UInt8],
        _ time: (seconds: Double, text: [UInt8]),
        _ environment: Environment
    ) {
        self.time = time
        copyCommand = Subprocess(copy.program, copy.words.map { Array($0.utf8) }, environment: environment)
        var pasteCommand = Subprocess(
            paste.program,
            paste.words.map { Array($0.utf8) },
            environment: environment
        )
        pasteCommand.output = .secret
        self.pasteCommand = pasteCommand
        self.display = display
        self.identity = identity
    }

    /// What the clipboard holds; nothing when it cannot be read.
    func paste() throws(Errno) -> SecretBytes { try Clipboard.content(from: startPaste()) }

    /// Starts the program that reads what the clipboard holds.
    func startPaste() throws(Errno) -> RunningChild { try pasteCommand.start() }

    /// What that program has read; nothing when it could not.
    static func content(from program: RunningChild) throws(Errno) -> SecretBytes {
        let outcome = try program.outcome()
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
}

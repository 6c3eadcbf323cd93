internal import SecretMemory
internal import Unix

/// A secret as a QR code: in a window where there is a display and a viewer, else as text.
enum QRCode {
    /// The viewers that pass knows, in its order, with their words; `$1` is the window's title.
    private static let viewers = [
        (program: "feh", words: #"-x --title "$1" -g +200+200 -"#),
        (program: "gm", words: #"display -title "$1" -geometry +200+200 -"#),
        (program: "display", words: #"-title "$1" -geometry +200+200 -"#),
    ]

    /// Fails where there is no program that makes QR codes, before anything is decrypted for it.
    static func checkProgram(in session: Session) throws(Failure) {
        guard session.environment.findProgram(Array("qrencode".utf8)) != nil else {
            throw Failure("Error: qrencode is not in PATH. Install it to see QR codes.")
        }
    }

    /// Shows a secret.
    ///
    /// It goes to qrencode's input, and the picture to the viewer's. If the viewer fails, as without access to the
    /// display, the code follows as text.
    static func show(_ secret: SecretBytes, of name: [UInt8], in session: Session) throws(Failure) {
        guard !secret.holdsNUL else { throw Failure(holdingNUL: name, "a QR code") }
        let environment = session.environment
        try checkProgram(in: session)
        try session.output.flush()
        let hasDisplay =
            environment.nonEmpty("DISPLAY") != nil || environment.nonEmpty("WAYLAND_DISPLAY") != nil
        let viewer =
            hasDisplay
            ? viewers.first { environment.findProgram(Array($0.program.utf8)) != nil } : nil
        if let viewer {
            let script = "qrencode --size 10 -o - | \(viewer.program) \(viewer.words)"
            guard try !succeeds(script, showing: secret, of: name, in: session) else { return }
            session.output.warning("\(viewer.program) could not show the QR code, which follows as text.")
        }
        guard try succeeds("qrencode -t utf8", showing: secret, of: name, in: session) else {
            throw Failure("Error: Could not show the QR code.")
        }
    }

    /// Runs a script of the shell with the secret as its input and the window's title as `$1`.
    private static func succeeds(
        _ script: String,
        showing secret: SecretBytes,
        of name: [UInt8],
        in session: Session
    ) throws(Failure) -> Bool {
        let title = session.fixedName + Array(": ".utf8) + name
        var child = Subprocess(
            "/bin/sh",
            [Array("-c".utf8), Array(script.utf8), Array("sh".utf8), title],
            environment: session.environment
        )
        child.input = .secret(secret)
        child.output = .inherited
        child.errorOutput = .inherited
        return try Failure.wording { () throws(Errno) in try child.run() }.status == 0
    }
}

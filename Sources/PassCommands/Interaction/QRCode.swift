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
    /// It goes to qrencode's input, and the picture to the viewer's.
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
        let script =
            viewer.map { "qrencode --size 10 -o - | \($0.program) \($0.words)" } ?? "qrencode -t utf8"
        var child = Subprocess(
            "/bin/sh",
            [
                Array("-c".utf8), Array(script.utf8), Array("sh".utf8),
                session.fixedName + Array(": ".utf8) + name,
            ],
            environment: environment
        )
        child.input = .secret(secret)
        child.output = .inherited
        child.errorOutput = .inherited
        let outcome = try Failure.wording { () throws(Errno) in try child.run() }
        guard outcome.status == 0 else { throw Failure("Error: Could not show the QR code.") }
    }
}

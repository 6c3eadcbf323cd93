internal import CommandGrammar
internal import SecretMemory

/// Where a code or a key URI goes: to the output, on the clipboard, or into a QR code.
enum OTPPresentation {
    case output
    case clipboard(Clipboard)
    case qrCode

    /// What the options ask for.
    ///
    /// A missing program is told now, before a counter moves on.
    init(_ arguments: Arguments, _ clip: Option, _ qrcode: Option, in session: Session) throws(Failure) {
        if arguments.contains(clip) {
            self = .clipboard(try Clipboard.find(in: session))
        } else if arguments.contains(qrcode) {
            try QRCode.checkProgram(in: session)
            self = .qrCode
        } else {
            self = .output
        }
    }

    func show(_ secret: SecretBytes, named name: Text, in session: Session) throws(Failure) {
        switch self {
        case .output: try session.output.show(secret.terminated, of: name.messageBytes)
        case .clipboard(let clipboard): try clipboard.copy(secret, of: name.messageBytes, in: session)
        case .qrCode: try QRCode.show(secret, of: name.messageBytes, in: session)
        }
    }
}

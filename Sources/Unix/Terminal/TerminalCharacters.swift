internal import Glibc

/// The characters that a terminal acts upon while a line is typed, as `stty` shows and sets them.
///
/// `nil` stands for one that is not set, or that the terminal's flags disable.
struct TerminalCharacters {
    var erase: UInt8?
    var kill: UInt8?
    var endOfInput: UInt8?
    var wordErase: UInt8?
    var literalNext: UInt8?
    var reprint: UInt8?
    /// The characters that raise `INT`, `QUIT` and `TSTP`.
    var interrupt: UInt8?
    var quit: UInt8?
    var suspend: UInt8?
    /// The characters of flow control.
    var start: UInt8?
    var stop: UInt8?

    /// Whether a carriage return counts as a line feed, a line feed as a carriage return, or a carriage return not at all.
    var mapsReturn = true
    var mapsNewline = false
    var ignoresReturn = false
    /// Whether a signal character leaves what is typed ahead.
    var keepsTypedAhead = false
    /// Whether characters are of UTF-8.
    var isUTF8 = false

    /// What `settings` say.
    init(_ settings: termios) {
        let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        func character(_ index: Int32, where flag: Int32 = 0) -> UInt8? {
            let isEnabled = flag == 0 || settings.c_lflag & tcflag_t(flag) != 0
            let character = characters[Int(index)]
            return isEnabled && character != 0 ? character : nil
        }
        erase = character(VERASE)
        kill = character(VKILL)
        endOfInput = character(VEOF)
        wordErase = character(VWERASE, where: IEXTEN)
        literalNext = character(VLNEXT, where: IEXTEN)
        reprint = character(VREPRINT, where: IEXTEN)
        interrupt = character(VINTR, where: ISIG)
        quit = character(VQUIT, where: ISIG)
        suspend = character(VSUSP, where: ISIG)
        if settings.c_iflag & tcflag_t(IXON) != 0 {
            start = character(VSTART)
            stop = character(VSTOP)
        }
        mapsReturn = settings.c_iflag & tcflag_t(ICRNL) != 0
        mapsNewline = settings.c_iflag & tcflag_t(INLCR) != 0
        ignoresReturn = settings.c_iflag & tcflag_t(IGNCR) != 0
        keepsTypedAhead = settings.c_lflag & tcflag_t(NOFLSH) != 0
        isUTF8 = settings.c_iflag & tcflag_t(IUTF8) != 0
    }

    /// The signal that a character raises; `nil` for none.
    func signal(of byte: UInt8) -> Int32? {
        switch byte {
        case interrupt: SIGINT
        case quit: SIGQUIT
        case suspend: SIGTSTP
        default: nil
        }
    }

    /// What the terminal would hand over in place of `byte`; `nil` for nothing.
    func mapped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case start, stop: nil
        case .carriageReturn: ignoresReturn ? nil : mapsReturn ? .lineFeed : byte
        case .lineFeed: mapsNewline ? .carriageReturn : byte
        default: byte
        }
    }
}

extension UInt8 {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let escape: UInt8 = 0x1B
    static let backspace: UInt8 = 0x08

    /// The byte of a letter typed with the control key.
    static func control(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) & 0x1F }
}

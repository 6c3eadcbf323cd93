internal import SecretMemory

/// What is typed on a terminal, byte for byte, until it is complete.
///
/// This is a small editor of our own, and not GNU Readline or libedit, which pass gets from bash: they keep lines in
/// memory that is not wiped, in several copies, and act on files of the user's (`~/.inputrc`); and a static executable
/// would have to hold them. What is needed of them is the twenty keys below.
struct LineEditor: ~Copyable {
    /// What is typed, and how it shows.
    enum Style {
        /// A line that does not show. The terminal's own characters act, as they do for `read -s` of bash.
        case hidden
        /// A line that shows and can be edited, as with `read -e` of bash.
        case edited
        /// Lines up to the end of input, that show. The terminal's own characters act, as they do for cat(1).
        case lines
    }

    /// What a byte brought about.
    enum Event: Equatable {
        case nothing
        /// The line, or the text, is complete.
        case complete
        /// The input ends here, whether or not something was typed.
        case endOfInput
        /// The terminal is to raise a signal.
        case signal(Int32)
    }

    private let style: Style
    private let characters: TerminalCharacters
    private let glyphs: Glyphs
    private(set) var line: TypedLine
    var display: LineDisplay

    /// What the next byte belongs to.
    private enum State: Equatable {
        case plain
        /// It is taken as it is.
        case literal
        case escape(EscapeSequence)
        /// A pasted text, of whose final mark so many bytes have come.
        case paste(matched: Int)
    }
    private var state = State.plain
    /// How many bytes of a character in UTF-8 are still to come.
    private var missing = 0
    /// Where the part of the text begins that can still be erased.
    private var lineStart = 0
    /// Whether the last pasted byte was a carriage return.
    private var pastedReturn = false

    init(_ style: Style, _ characters: TerminalCharacters, _ glyphs: Glyphs, start: Int, columns: Int) {
        self.style = style
        self.characters = characters
        self.glyphs = glyphs
        line = TypedLine(glyphs)
        display = LineDisplay(start: style == .lines ? 0 : start, columns: columns)
    }

    /// Takes one byte that was typed.
    mutating func take(_ byte: UInt8) -> Event {
        switch state {
        case .literal:
            state = .plain
            return byte == .lineFeed ? takeLineEnd() : insert(byte)
        case .paste(let matched): return takePasted(byte, matched)
        case .escape(var sequence):
            switch sequence.take(byte) {
            case .goesOn: state = .escape(sequence)
            case .complete(let key):
                state = .plain
                press(key)
            case .broken:
                state = .plain
                return take(byte)
            }
            return .nothing
        case .plain: break
        }
        if let signal = characters.signal(of: byte) { return .signal(signal) }
        guard let byte = characters.mapped(byte) else { return .nothing }
        return takePlain(byte)
    }

    private mutating func takePlain(_ byte: UInt8) -> Event {
        switch byte {
        case .lineFeed: return takeLineEnd()
        case characters.literalNext: state = .literal
        case characters.erase: erase { line in line.erase() }
        case characters.kill: erase { [lineStart] line in line.erase(downTo: lineStart) }
        case characters.wordErase: erase { [lineStart] line in line.eraseWord(downTo: lineStart) }
        case characters.endOfInput where style != .edited || line.count == 0: return takeEndOfInput()
        case characters.reprint: reprint()
        default: return style == .edited ? edit(byte) : insert(byte)
        }
        return .nothing
    }

    private mutating func takeLineEnd() -> Event {
        guard style == .lines else { return .complete }
        line.insert(.lineFeed)
        lineStart = line.count
        display.endLine()
        return .nothing
    }

    /// The end of input behind a line end is the end of all; elsewhere it hands over what is typed so far.
    private mutating func takeEndOfInput() -> Event {
        guard line.count > lineStart else { return .endOfInput }
        lineStart = line.count
        return .nothing
    }

    // MARK: Keys

    private mutating func edit(_ byte: UInt8) -> Event {
        switch byte {
        case .escape: state = .escape(EscapeSequence())
        case .carriageReturn: return .complete
        case .control("A"): press(.home)
        case .control("B"): press(.left)
        case .control("D"): press(.delete)
        case .control("E"): press(.end)
        case .control("F"): press(.right)
        case .backspace, 0x7F: change { $0.erase() }
        case .control("K"): change { $0.deleteToEnd() }
        case .control("U"): change { $0.eraseToStart() }
        case .control("V"): state = .literal
        case .control("W"): change { $0.eraseWord() }
        // A tab may be part of a password; no other control character means anything here.
        case ..<0x20 where byte != 0x09: break
        default: return insert(byte)
        }
        return .nothing
    }

    private mutating func press(_ key: EscapeSequence.Key) {
        switch key {
        case .none: break
        case .left: change { $0.moveLeft() }
        case .right: change { $0.moveRight() }
        case .home: change { $0.moveToStart() }
        case .end: change { $0.moveToEnd() }
        case .wordLeft: change { $0.moveWordLeft() }
        case .wordRight: change { $0.moveWordRight() }
        case .delete: change { $0.delete() }
        case .eraseWord: change { $0.eraseWord() }
        case .paste: state = .paste(matched: 0)
        }
    }

    private mutating func change(_ body: (inout TypedLine) -> Void) {
        missing = 0
        body(&line)
        display.invalidate()
    }

    /// Removes something before the cursor by one of the terminal's own characters.
    private mutating func erase(_ body: (inout TypedLine) -> Void) {
        guard style != .edited else { return change(body) }
        guard line.count > lineStart else { return }
        missing = 0
        let before = style == .lines ? columns : 0
        body(&line)
        if style == .lines { display.rubOut(before - columns) }
    }

    /// How many columns the present line of a text takes.
    private var columns: Int {
        var (place, columns) = (lineStart, 0)
        while place < line.before.count {
            let glyph = line.glyph(at: place)
            // It goes to the next stop, whatever its glyph.
            if line.before[place] == 0x09 { columns = (columns / 8 + 1) * 8 - glyph.width }
            place += glyph.length
            columns += glyph.width
        }
        return columns
    }

    /// Shows the line once more, as after something else has written to the terminal.
    mutating func reprint() {
        switch style {
        case .hidden: break
        case .edited: display.invalidate()
        case .lines:
            display.endLine()
            for place in lineStart..<line.before.count { echo(endingAt: place + 1) }
        }
    }

    // MARK: Text

    private mutating func insert(_ byte: UInt8) -> Event {
        line.insert(byte)
        guard style != .hidden else { return .nothing }
        if glyphs.isUTF8 {
            let isContinuation = byte & 0xC0 == 0x80
            missing = isContinuation && missing > 0 ? missing - 1 : Glyphs.length(byte) - 1
            guard missing == 0 else { return .nothing }
        }
        if style == .lines {
            echo(endingAt: line.before.count)
        } else if line.behind.count == 0 {
            display.append(line.glyph(endingAt: line.before.count), of: line)
        } else {
            display.invalidate()
        }
        return .nothing
    }

    /// Shows the character of a text that ends at `end`.
    private mutating func echo(endingAt end: Int) {
        let glyph = line.glyph(endingAt: end)
        if glyph.length == 1, line.before[end - 1] == 0x09 { return display.tab() }
        // Within a character in UTF-8 nothing shows yet.
        if glyphs.isUTF8, glyph.length == 1, line.before[end - 1] >= 0x80 { return }
        display.echo(glyph)
    }

    /// What ends a pasted text: ESC [ 2 0 1 ~.
    private static let endOfPaste: [UInt8] = [.escape] + Array("[201~".utf8)

    private mutating func takePasted(_ byte: UInt8, _ matched: Int) -> Event {
        let mark = LineEditor.endOfPaste
        if byte == mark[matched] {
            state = matched + 1 == mark.count ? .plain : .paste(matched: matched + 1)
            return .nothing
        }
        for known in mark[..<matched] { _ = insertPasted(known) }
        state = .paste(matched: byte == .escape ? 1 : 0)
        return byte == .escape ? .nothing : insertPasted(byte)
    }

    /// Terminals make a carriage return of each line end of a pasted text.
    private mutating func insertPasted(_ byte: UInt8) -> Event {
        defer { pastedReturn = byte == .carriageReturn }
        if byte == .lineFeed, pastedReturn { return .nothing }
        return insert(byte == .carriageReturn ? .lineFeed : byte)
    }
}

extension LineEditor {
    /// Forgets what was typed so far, and takes the rest as before.
    mutating func drop() {
        line.removeAll()
        (lineStart, missing) = (0, 0)
        display.invalidate()
    }

    /// Begins to show the line anew, behind a prompt that ends at column `start`.
    mutating func resume(start: Int, columns: Int) {
        guard style != .hidden else { return }
        if style == .edited { display = LineDisplay(start: start, columns: columns) }
        reprint()
    }

    /// Leaves the line as the terminal is to keep it.
    mutating func end(_ event: Event) {
        guard style == .edited else { return }
        if line.behind.count > 0 { change { $0.moveToEnd() } }
        display.redraw(line)
        if event == .complete { display.endLine() }
    }

    /// What was typed, without line ends that were pasted behind a line.
    mutating func finish() -> SecretBytes {
        let text = line.finish()
        guard style == .edited else { return text }
        let length = text.withBytes { bytes in
            var length = bytes.count
            while length > 0, bytes[length - 1] == .lineFeed { length -= 1 }
            return length
        }
        return length == text.count ? text : text.slice(0..<length)
    }
}

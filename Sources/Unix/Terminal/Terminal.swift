internal import Glibc
package import SecretMemory

/// Reading from the user: lines, shown or hidden.
package enum Terminal {
    /// How a line is typed on a terminal.
    package enum Style: Sendable {
        /// In the terminal's usual mode, which keeps 4,095 bytes: for answers to questions.
        case plain
        /// Without being shown, however long it is.
        case hidden
        /// With the keys that edit a line, however long it is.
        case edited
    }

    /// The terminal's mode, kept while several lines are asked for: between two of them nothing that is typed ahead
    /// shows, or is cut.
    package struct Typing {
        fileprivate var mode: TypingMode?

        /// Makes one that changes nothing yet.
        package init() {}
    }

    /// Reads one line from descriptor 0, and nothing behind it.
    ///
    /// - Parameters:
    ///   - style: how it is typed, where that is a terminal.
    ///   - limit: the most bytes that the line may have.
    ///   - typing: keeps the terminal's mode for the next line.
    ///   - prompt: asks for the line, once nothing is shown any more that should not be, and once more when the process
    ///     was stopped, or the terminal has another width. It answers what the terminal shows of that.
    /// - Returns: the line without its line end, and whether it had one; `nil` at the end of input.
    /// - Throws: ``Errno`` when the terminal cannot be read or set, or the line is too long.
    package static func readLine(
        _ style: Style,
        limit: Int = .max,
        in typing: inout Typing,
        prompt: () -> [UInt8]
    ) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        let input = FileDescriptor.standardInput
        guard style != .plain, input.isTerminal else {
            _ = prompt()
            return try input.readSecretLine(limit: limit)
        }
        let (line, end) = try type(style == .hidden ? .hidden : .edited, limit, in: &typing, prompt)
        return end == .endOfInput && line.isEmpty ? nil : (line, end == .complete)
    }

    /// Reads one line, and puts the terminal back at once.
    package static func readLine(
        _ style: Style,
        limit: Int = .max,
        prompt: () -> [UInt8] = { [] }
    ) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        var typing = Typing()
        return try readLine(style, limit: limit, in: &typing, prompt: prompt)
    }

    /// Reads descriptor 0 up to the end of input.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are taken; more is `EFBIG`.
    ///   - prompt: asks for the text, once the terminal is ready for it.
    /// - Returns: the text.
    /// - Throws: ``Errno``.
    package static func readText(limit: Int, prompt: () -> Void) throws(Errno) -> SecretBytes {
        let input = FileDescriptor.standardInput
        guard input.isTerminal else {
            prompt()
            return try input.readSecret(limit: limit)
        }
        var isAsked = false
        var typing = Typing()
        return try type(.lines, limit, in: &typing) {
            if !isAsked { prompt() }
            isAsked = true
            return []
        }.text
    }

    private static func type(
        _ style: LineEditor.Style,
        _ limit: Int,
        in typing: inout Typing,
        _ prompt: () -> [UInt8]
    ) throws(Errno) -> (text: SecretBytes, end: LineEditor.Event) {
        let mode: TypingMode
        if let kept = typing.mode {
            mode = kept
        } else {
            mode = try TypingMode(.standardInput, marksPastes: marksPastes(style))
            typing.mode = mode
        }
        let isUTF8 =
            mode.characters.isUTF8
            || TextLocale(environment: Environment.ofThisProcess()).codeset == "UTF-8"
        let glyphs = Glyphs(isUTF8: isUTF8)
        var columns = mode.columns
        let start = glyphs.width(of: prompt())
        var editor = LineEditor(style, mode.characters, glyphs, start: start, columns: columns)
        var isTooLong = false
        while true {
            if style == .edited, mode.columns != columns {
                // What a terminal makes of a row that it widens or narrows differs, and so a new one begins.
                columns = mode.columns
                mode.show([.lineFeed])
                editor.resume(start: glyphs.width(of: prompt()), columns: columns)
            }
            editor.show(on: mode)
            let byte = try mode.readByte {
                columns = mode.columns
                editor.resume(start: glyphs.width(of: prompt()), columns: columns)
                editor.show(on: mode)
            }
            var event = LineEditor.Event.endOfInput
            if let byte { event = editor.take(byte) }
            if editor.line.count > limit {
                // The rest is read too: it is no command for the shell.
                isTooLong = true
                editor.drop()
            }
            switch event {
            case .nothing: break
            case .signal(let number): mode.raise(number)
            case .complete, .endOfInput:
                editor.end(event)
                editor.show(on: mode, isLast: true)
                guard !isTooLong else { throw Errno(.read, "input", code: EFBIG) }
                return (editor.finish(), event)
            }
        }
    }

    private static func marksPastes(_ style: LineEditor.Style) -> Bool {
        let kind = Environment.ofThisProcess().nonEmpty("TERM")
        return style == .edited && kind != nil && kind != Array("dumb".utf8)
    }

    /// The path of the terminal on a descriptor, for `GPG_TTY`; `nil` when it is none.
    package static func name(of descriptor: FileDescriptor) -> Path? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor.number, &name, name.count) == 0 else { return nil }
        return Path(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    }
}

extension LineEditor {
    /// Shows what is to be shown, unless more is typed already.
    fileprivate mutating func show(on mode: TypingMode, isLast: Bool = false) {
        guard display.isStale || display.output.count > 0 else { return }
        guard isLast || display.output.count > 4096 || !mode.hasInput else { return }
        display.redraw(line)
        mode.show(display.takeOutput())
    }
}

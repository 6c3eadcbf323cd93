internal import SecretMemory

/// What a terminal shows of a line while it is typed.
///
/// It needs nothing of a terminal but that a backspace goes one column back, and no row but its own: of a line that is
/// longer, the part around the cursor shows.
struct LineDisplay: ~Copyable {
    /// What is still to be written.
    private(set) var output = SecretBuffer()
    /// Whether the line must be drawn anew, which ``redraw(_:)`` does.
    private(set) var isStale = false

    /// How many columns there are for the line.
    private var room: Int
    /// How many columns the shown part takes, and how many of these are before the cursor.
    private var (shown, cursor) = (0, 0)
    /// Whether a part of the line is out of sight.
    private var isCut = false

    /// Makes one for a line that begins at column `start` of `columns`.
    init(start: Int, columns: Int) {
        // The last column stays free: behind it the cursor's place differs from terminal to terminal.
        room = columns - start % max(1, columns) - 1
        if room < min(LineDisplay.leastRoom, columns - 1) {
            output.append(.lineFeed)
            room = columns - 1
        }
        // Nothing shows of a character that has no room.
        room = max(room, 0)
    }

    private static let leastRoom = 10

    /// Has the line drawn anew.
    mutating func invalidate() { isStale = true }

    /// Shows a character that was typed at the end of the line.
    mutating func append(_ glyph: Glyph, of line: borrowing TypedLine) {
        guard !isStale, !isCut, cursor + glyph.width <= room else { return invalidate() }
        write(glyph)
        cursor += glyph.width
        shown += glyph.width
    }

    /// Draws the line, where that is necessary.
    mutating func redraw(_ line: borrowing TypedLine) {
        guard isStale else { return }
        isStale = false
        back(cursor)
        let (before, behind) = window(of: line)
        isCut = before.bytes < line.before.count || behind.bytes < line.behind.count
        var place = line.before.count - before.bytes
        while place < line.before.count {
            let glyph = line.glyph(at: place)
            write(glyph)
            place += glyph.length
        }
        place = 0
        while place < behind.bytes {
            let glyph = line.glyph(behind: place)
            write(glyph)
            place += glyph.length
        }
        let width = before.columns + behind.columns
        for _ in width..<max(width, shown) { output.append(UInt8(ascii: " ")) }
        back(max(width, shown) - before.columns)
        (shown, cursor) = (width, before.columns)
    }

    /// A part of a line at the cursor: its length and its width.
    private typealias Part = (bytes: Int, columns: Int)

    /// The parts on both sides of the cursor that have room: all of the line, or two thirds before the cursor.
    private func window(of line: borrowing TypedLine) -> (before: Part, behind: Part) {
        let behindAtMost = partBehind(line, room)
        let isAllBehind = behindAtMost.bytes == line.behind.count
        let wanted = isAllBehind ? behindAtMost.columns : room
        let before = partBefore(line, max(room - wanted, room * 2 / 3))
        return (before, partBehind(line, room - before.columns))
    }

    private func partBefore(_ line: borrowing TypedLine, _ room: Int) -> Part {
        var part = (bytes: 0, columns: 0)
        var end = line.before.count
        var columns = 0
        while end > 0 {
            let glyph = line.glyph(endingAt: end)
            end -= glyph.length
            columns += glyph.width
            guard columns <= room else { break }
            // A mark stands with its base or not at all.
            if glyph.width > 0 || end == 0 { part = (line.before.count - end, columns) }
        }
        return part
    }

    private func partBehind(_ line: borrowing TypedLine, _ room: Int) -> Part {
        var part = (bytes: 0, columns: 0)
        while part.bytes < line.behind.count {
            let glyph = line.glyph(behind: part.bytes)
            guard part.columns + glyph.width <= room else { break }
            part = (part.bytes + glyph.length, part.columns + glyph.width)
        }
        return part
    }

    // MARK: Pieces

    private mutating func write(_ glyph: Glyph) {
        if glyph.isPlain {
            for index in 0..<glyph.length { output.append(glyph[index]) }
        } else if glyph.width == 2 {
            output.append(UInt8(ascii: "^"))
            output.append(glyph[0] ^ 0x40)
        } else {
            for _ in 0..<glyph.width { output.append(UInt8(ascii: "?")) }
        }
    }

    private mutating func back(_ columns: Int) { for _ in 0..<columns { output.append(.backspace) } }

    /// Shows a character as it is, or a control character as `^A`, wherever the cursor is.
    mutating func echo(_ glyph: Glyph) { write(glyph) }

    /// Takes as many columns away before the cursor.
    mutating func rubOut(_ columns: Int) {
        back(columns)
        for _ in 0..<columns { output.append(UInt8(ascii: " ")) }
        back(columns)
    }

    /// Goes to the next row.
    mutating func endLine() { output.append(.lineFeed) }

    /// Goes to the next column that has a tab stop.
    mutating func tab() { output.append(0x09) }

    /// What is to be written, which is gone from here.
    mutating func takeOutput() -> SecretBytes {
        var taken = SecretBuffer()
        swap(&taken, &output)
        return taken.finish()
    }
}

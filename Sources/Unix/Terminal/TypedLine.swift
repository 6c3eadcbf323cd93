internal import SecretMemory

/// A line with a cursor in it, in memory that is wiped.
///
/// A character is a base with the marks that combine with it. Of bytes that are not UTF-8 each is a character.
struct TypedLine: ~Copyable {
    /// The bytes before the cursor.
    private(set) var before = SecretBuffer()
    /// The bytes behind it, the last one first.
    private(set) var behind = SecretBuffer()
    private let glyphs: Glyphs

    init(_ glyphs: Glyphs) { self.glyphs = glyphs }

    /// How many bytes there are.
    var count: Int { before.count + behind.count }

    /// Puts a byte before the cursor.
    mutating func insert(_ byte: UInt8) { before.append(byte) }

    // MARK: Characters

    /// The glyph that ends at byte `end` of what is before the cursor.
    func glyph(endingAt end: Int) -> Glyph {
        var length = 1
        while length < min(4, end), before[end - length] & 0xC0 == 0x80 { length += 1 }
        let glyph = glyphs.glyph { $0 < length ? before[end - length + $0] : nil }
        return glyph.length == length ? glyph : glyphs.glyph { $0 == 0 ? before[end - 1] : nil }
    }

    /// The glyph that begins at byte `start` of what is before the cursor.
    func glyph(at start: Int) -> Glyph {
        glyphs.glyph { start + $0 < before.count ? before[start + $0] : nil }
    }

    /// The glyph that begins `offset` bytes behind the cursor.
    func glyph(behind offset: Int) -> Glyph {
        let first = behind.count - 1 - offset
        return glyphs.glyph { $0 <= first ? behind[first - $0] : nil }
    }

    /// How many bytes the character before the cursor has.
    private var lengthBefore: Int {
        var end = before.count
        while end > 0 {
            let glyph = glyph(endingAt: end)
            end -= glyph.length
            if glyph.width > 0 { break }
        }
        return before.count - end
    }

    /// How many bytes the character behind the cursor has.
    private var lengthBehind: Int {
        var offset = 0
        while offset < behind.count {
            let glyph = glyph(behind: offset)
            if offset > 0, glyph.width > 0 { break }
            offset += glyph.length
        }
        return offset
    }

    // MARK: Moving

    mutating func moveLeft() { shiftLeft(lengthBefore) }
    mutating func moveRight() { shiftRight(lengthBehind) }
    mutating func moveToStart() { shiftLeft(before.count) }
    mutating func moveToEnd() { shiftRight(behind.count) }

    mutating func moveWordLeft() {
        while let last = before.last, !isOfWord(last) { moveLeft() }
        while let last = before.last, isOfWord(last) { moveLeft() }
    }

    mutating func moveWordRight() {
        while let next = behind.last, !isOfWord(next) { moveRight() }
        while let next = behind.last, isOfWord(next) { moveRight() }
    }

    private func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    private mutating func shiftLeft(_ count: Int) {
        for _ in 0..<count {
            guard let last = before.last else { return }
            behind.append(last)
            before.removeLast()
        }
    }

    private mutating func shiftRight(_ count: Int) {
        for _ in 0..<count {
            guard let next = behind.last else { return }
            before.append(next)
            behind.removeLast()
        }
    }

    // MARK: Removing

    /// Removes the character before the cursor.
    mutating func erase() { for _ in 0..<lengthBefore { before.removeLast() } }

    /// Removes the character behind the cursor.
    mutating func delete() { for _ in 0..<lengthBehind { behind.removeLast() } }

    /// Removes all that is before the cursor.
    mutating func eraseToStart() { erase(downTo: 0) }

    /// Removes all that is behind the cursor.
    mutating func deleteToEnd() { behind.removeAll() }

    /// Removes what is before the cursor, back to byte `start`.
    mutating func erase(downTo start: Int) { while before.count > start { before.removeLast() } }

    /// Removes the blanks before the cursor, and the word before these, back to byte `start` at most.
    mutating func eraseWord(downTo start: Int = 0) {
        while before.count > start, before.last?.isBlank == true { erase() }
        while before.count > start, before.last?.isBlank == false { erase() }
    }

    /// Removes all.
    mutating func removeAll() {
        before.removeAll()
        behind.removeAll()
    }

    /// The line, which is gone from here.
    mutating func finish() -> SecretBytes {
        moveToEnd()
        var line = SecretBuffer()
        swap(&line, &before)
        return line.finish()
    }
}

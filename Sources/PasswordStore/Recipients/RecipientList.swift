internal import SecretMemory
internal import Unix

/// The GPG ids of one `.gpg-id` file, or those that the settings put in their place.
///
/// No line is dropped without a word: a line that cannot be a recipient makes the whole list unusable. Source:
/// `set_gpg_recipients` in pass 1.7.4, with its traps mended: blanks before a comment, CRLF, a byte-order mark, and a
/// last line without line end are all understood.
public struct RecipientList: Sendable, Hashable {
    /// The ids, in their order, without blanks around them and without comments.
    public let ids: [[UInt8]]

    /// Why a file is no list of recipients.
    public enum Fault: Error, Hashable, Sendable {
        /// It holds no id.
        case empty
        /// A line, counted from 1, that would be read as an option.
        case option(line: Int, text: [UInt8])
        /// A line with a control character.
        case controlCharacter(line: Int)
        /// Marks of a merge that git could not finish.
        case mergeConflict(line: Int)
        /// An id that would be read back as another one: empty, with blanks around it, with a `#`, or like a mark.
        case notAnID(line: Int, text: [UInt8])
        /// It is no regular file.
        case notAFile
    }

    /// The name of the file.
    public static let fileName = Array(".gpg-id".utf8)

    /// More than a list ever needs; keeps a device or a mistake from filling the memory.
    static let largestFile = 1024 * 1024

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Takes ids as they are, from `PASSWORD_STORE_KEY` or a command line.
    init(ids: [[UInt8]]) { self.ids = ids }

    /// Reads the text of a `.gpg-id` file.
    init(parsing text: [UInt8]) throws(Fault) {
        var ids: [[UInt8]] = []
        let body = text.starts(with: RecipientList.byteOrderMark) ? text.dropFirst(3) : text[...]
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let number = index + 1
            let uncommented = line.prefix { $0 != UInt8(ascii: "#") }
            let id = Array(uncommented.trimmed(where: \.isBlankOrReturn))
            if RecipientList.isMergeMark(line) { throw .mergeConflict(line: number) }
            if id.isEmpty { continue }
            try RecipientList.check(id, line: number)
            ids.append(id)
        }
        guard !ids.isEmpty else { throw .empty }
        self.ids = ids
    }

    /// Takes ids that a `.gpg-id` is to hold, and makes sure that it will be read as these ids.
    ///
    /// - Throws: ``StoreError/recipientList(_:_:)``.
    init(checking ids: [[UInt8]]) throws(StoreError) {
        do throws(Fault) {
            for (index, id) in ids.enumerated() {
                try RecipientList.check(id, line: index + 1)
                guard !id.contains(UInt8(ascii: "#")), id.trimmed(where: \.isBlankOrReturn) == id[...],
                    !id.isEmpty,
                    !id.starts(with: RecipientList.byteOrderMark), !RecipientList.isMergeMark(id[...])
                else { throw .notAnID(line: index + 1, text: id) }
            }
        } catch {
            throw .recipientList(Path(RecipientList.fileName), error)
        }
        self.ids = ids
    }

    /// The text of a `.gpg-id` file: an id a line.
    var text: [UInt8] { ids.flatMap { $0 + [UInt8(ascii: "\n")] } }

    /// Whether git puts such a line between what it could not merge.
    private static func isMergeMark(_ line: ArraySlice<UInt8>) -> Bool {
        ["<<<<<<< ", "||||||| ", ">>>>>>> "].contains { line.starts(with: $0.utf8) }
            || line.trimmed(where: \.isBlankOrReturn).elementsEqual("=======".utf8)
    }

    /// Refuses what gpg or GPGME would take for something else than a recipient.
    static func check(_ id: [UInt8], line: Int) throws(Fault) {
        if id.first == UInt8(ascii: "-") { throw .option(line: line, text: id) }
        if id.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .controlCharacter(line: line) }
    }
}

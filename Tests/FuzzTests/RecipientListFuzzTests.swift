import SecretMemory
import Testing

@testable import GPGME
@testable import PasswordStore

/// `.gpg-id`: every line that is neither blank nor a comment is a recipient, or an error that names the line.
@Suite struct RecipientListFuzzTests {
    /// The lines as a reader sees them: what counts of each, found without the parser.
    private func lines(_ text: [UInt8]) -> [[UInt8]] {
        let body = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
        var lines: [[UInt8]] = [[]]
        for byte in body {
            if byte == 0x0A { lines.append([]) } else { lines[lines.count - 1].append(byte) }
        }
        return lines
    }

    private func content(_ line: [UInt8]) -> [UInt8] {
        var line = line
        if let hash = line.firstIndex(of: 0x23) { line.removeSubrange(hash...) }
        while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
        while let first = line.first, [0x20, 0x09, 0x0D].contains(first) { line.removeFirst() }
        return line
    }

    @Test func noLineIsDropped() throws {
        let tokens = [
            "\n", "#", " # name", "\r\n", "--file", "-", "<<<<<<< HEAD\n", "=======\n", "\u{FEFF}", "!",
        ]
        try fuzz("gpg-id", tokens) { input in
            let lines = lines(input)
            let wanted = lines.map(content).filter { !$0.isEmpty }
            switch Result(catching: { () throws(RecipientList.Fault) in try RecipientList(parsing: input) }) {
            case .success(let list):
                try require(list.ids == wanted, "\(list.ids.count) ids instead of \(wanted.count)")
                // What it would write it would read again, or it does not write it.
                if let written = try? RecipientList(checking: list.ids) {
                    let again = try RecipientList(parsing: written.text)
                    try require(again == list, "another list after writing and reading")
                }
                return true
            case .failure(let fault):
                try check(fault, lines, wanted)
                return false
            }
        }
    }

    /// An ID or an address is the whole of its text, and nothing that means more than that to gpg.
    @Test func aRecipientThatIsToldByItsTextIsThatText() throws {
        let tokens = [
            "0x", "0X", "!", "@", ".", "0123456789abcdef", "FEDCBA98", "alice", "example.org", " ", "<", "=",
        ]
        try fuzz("recipient", tokens) { input in
            let text = trimmed(input)
            switch PlainRecipient(input) {
            case .id(let id)?:
                let texts = ["", "0x"].map {
                    Array($0.utf8) + id.digits + Array((id.isExact ? "!" : "").utf8)
                }
                try require(texts.contains(text), "\(id.digits.count) digits of another text")
                try require([8, 16, 40, 64].contains(id.digits.count), "\(id.digits.count) digits")
                try require(id.digits.allSatisfy(\.isHexDigit), "other characters")
                try require(id.isUnique == (id.digits.count > 8), "a short ID")
                return true
            case .address(let address)?:
                let own = text.map(\.lowercased)
                try require(own == address || own == [0x3C] + address + [0x3E], "another address")
                try require(address.contains(0x40), "no address")
                try require(own != address || !"<=*".utf8.contains(own[0]), "a character with a meaning")
                try require(own != address || !own.contains(0x3C), "a user ID")
                return true
            case nil: return false
            }
        }
    }

    private func check(_ fault: RecipientList.Fault, _ lines: [[UInt8]], _ wanted: [[UInt8]]) throws {
        func line(_ number: Int) -> [UInt8] { number >= 1 && number <= lines.count ? lines[number - 1] : [] }
        let isRight =
            switch fault {
            case .empty: wanted.isEmpty
            case .option(let number, let text): content(line(number)) == text && text.first == 0x2D
            case .controlCharacter(let number): content(line(number)).contains { $0 < 0x20 || $0 == 0x7F }
            case .mergeConflict(let number): line(number).contains { [0x3C, 0x3D, 0x3E, 0x7C].contains($0) }
            case .notAnID, .notAFile: false
            }
        try require(isRight, "\(fault)")
    }
}

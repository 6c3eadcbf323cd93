import Foundation
import TestSupport

/// Replaces what differs from run to run, and puts lines in order that come in the order of the disk.
///
/// A generated password is replaced from where `generate` shows it to the end of the session.
struct Normalizer {
    private let home: String
    private var passwords: [String] = []

    init(home: URL) {
        self.home = home.path
    }

    mutating func normalize(_ exchange: Exchange) -> Exchange {
        var exchange = exchange
        notePasswords(in: exchange.output)
        exchange.output = normalize(exchange.output)
        exchange.errors = normalize(exchange.errors)
        return exchange
    }

    /// Keeps the password of the line after "The generated password for".
    ///
    /// One of a single repeated character is not random. One of a few characters may be found anywhere, so scripts do
    /// not show it again.
    private mutating func notePasswords(in lines: [String]) {
        let start = "\\e[1m\\e[93m"
        let end = "\\e[0m"
        for line in lines where line.hasPrefix(start) && line.hasSuffix(end) {
            let password = String(line.dropFirst(start.count).dropLast(end.count))
            if Set(password).count > 1 {
                passwords.append(password)
            }
        }
    }

    private func normalize(_ lines: [String]) -> [String] {
        sortedWhereUnordered(lines.map(normalize))
    }

    private func normalize(_ line: String) -> String {
        var line = line.replacing(home, with: "<home>")
        for password in passwords {
            // Backslashes are escaped as two characters.
            let length = password.replacing("\\\\", with: "\\").count
            line = line.replacing(password, with: "<\(length) random characters>")
        }
        line.replace(#//dev/shm/pass\.[A-Za-z0-9]{13}/#, with: "/dev/shm/pass.<random>")
        line.replace(#//pass\.<random>/[A-Za-z0-9]{6}-/#, with: "/pass.<random>/<random>-")
        line.replace(#/\.tmp\.[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+\.--/#, with: ".tmp.<random>")
        line.replace(#/^\[(\S+)( \(root-commit\))? [0-9a-f]{7,}\] /#) { "[\($0.1)\($0.2 ?? "") <hash>] " }
        // Whether git takes an entry for text, and counts lines, depends on its random bytes.
        line.replace(#/^ ([0-9]+ files? changed),.*/#) { " \($0.1), <lines>" }
        line.replace(#/^ rewrite (.*) \([0-9]+%\)$/#) { " rewrite \($0.1) (<n>%)" }
        line.replace(#/\b[0-9a-f]{40}\b/#, with: "<hash>")
        return line
    }

    /// Lines of which pass prints one per file, in the order of the folder.
    private static let unordered: [@Sendable (String) -> Bool] = [
        { $0.contains(": reencrypting to") },
        { $0.hasPrefix("removed '") || $0.hasPrefix("removed directory '") },
        { $0.hasPrefix("'") && $0.contains("' -> '") },
        { $0.hasPrefix("copied '") || $0.hasPrefix("created directory '") },
        { $0.hasPrefix("gpg: ") && $0.hasSuffix("decryption failed: No secret key") },
    ]

    private func sortedWhereUnordered(_ lines: [String]) -> [String] {
        var result: [String] = []
        var run: [String] = []
        var kind: Int?
        for line in lines {
            let next = Self.unordered.firstIndex { $0(line) }
            if next != kind {
                result += kind == nil ? run : run.sorted()
                run = []
                kind = next
            }
            run.append(line)
        }
        return result + (kind == nil ? run : run.sorted())
    }
}

// swift-format-ignore-file: NeverUseForceTry
import Foundation
import TestSupport
import Testing

/// A script of commands around one theme: `Scripts/THEME.script`.
///
/// A line that starts with `$ ` is a command, lines that start with `> ` continue it, lines that start with `#` are
/// comments for the reader and go to the golden as well. `requires PROGRAM...` names programs without which
/// the script is skipped. Every script ends with `$ state`, written or not.
struct Script: Sendable, CustomTestStringConvertible {
    /// A line of the script that is kept: what the golden shows, in order.
    enum Line: Hashable {
        case comment(String)
        case command(String)
    }

    let theme: String
    private(set) var lines: [Line] = []
    private(set) var requiredPrograms: [String] = []

    var testDescription: String { theme }

    var commands: [String] {
        lines.compactMap { if case .command(let text) = $0 { text } else { nil } }
    }

    var golden: URL { Folders.goldens.appending(path: "\(theme).txt") }

    /// Every script there is, by name.
    static let all: [Script] = try! FileManager.default
        .contentsOfDirectory(at: Folders.scripts, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "script" }
        .sorted { $0.path < $1.path }
        .map(Script.init(contentsOf:))

    init(contentsOf url: URL) throws {
        theme = url.deletingPathExtension().lastPathComponent
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("$ ") {
                lines.append(.command(String(line.dropFirst(2))))
            } else if line.hasPrefix(">"), case .command(let start) = lines.last {
                lines[lines.count - 1] = .command(start + "\n" + line.dropFirst(2))
            } else if line.hasPrefix("requires ") {
                requiredPrograms += line.split(separator: " ").dropFirst().map(String.init)
            } else if line.hasPrefix("#") {
                lines.append(.comment(String(line)))
            } else {
                throw SessionFailure(description: "\(theme).script: not a line of a script: \(line)")
            }
        }
        if lines.last != .command("state") {
            lines.append(.command("state"))
        }
    }

    /// The golden's text for these exchanges, one per command.
    func transcript(of exchanges: [Exchange]) -> String {
        var exchanges = exchanges[...]
        let blocks = lines.map { line in
            switch line {
            case .comment(let text): "\n" + text
            case .command: exchanges.popFirst()?.lines.joined(separator: "\n") ?? ""
            }
        }
        return "# Recorded from pass 1.7.4 by `RECORD=pass`; not to be edited by hand.\n"
            + blocks.joined(separator: "\n") + "\n"
    }
}

/// What keeps a session from being held or compared.
struct SessionFailure: Error, CustomStringConvertible {
    let description: String
}

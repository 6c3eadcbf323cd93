import TestSupport
import Testing
import Unix

@testable import CommandGrammar
@testable import PassCommands
@testable import PasswordStore

/// What is typed: the words behind a command, and the names of entries.
@Suite struct WordsFuzzTests {
    @Test func wordsMeanTheSameWhenTheyAreWrittenOutInFull() throws {
        let commands = CommandTable.commands.map { $0.command }
        let options = commands.flatMap(\.allOptions).flatMap {
            ["--\($0.long)", "--\($0.long)=", "-\($0.short ?? "x")"]
        }
        try fuzz("words", options + ["\0", "\0--\0", "\0-", "="]) { input in
            let words = input.split(separator: 0, omittingEmptySubsequences: false).map { Word($0) }
            let command = commands[Int(input.first ?? 0) % commands.count]
            let isPosixlyCorrect = input.count % 5 == 0
            let arguments: Arguments
            do throws(UsageError) {
                arguments = try command.parse(words, posixlyCorrect: isPosixlyCorrect)
            } catch {
                try require(!error.faults.isEmpty, "refused for no reason")
                for message in error.messages(program: Word("pass".utf8)) {
                    try require(!message.isEmpty, "an empty message")
                }
                return false
            }
            let full = arguments.given.map { given in
                Word("--\(given.option.long)".utf8) + (given.value.map { Word("=".utf8) + $0 } ?? [])
            }
            if command.parsing == .verbatim {
                try require(full + arguments.operands == words, "other words")
                return true
            }
            let again = try command.parse(
                full + [Word("--".utf8)] + arguments.operands,
                posixlyCorrect: false
            )
            try require(again == arguments, "another meaning when written out")
            return true
        }
    }

    @Test func noNameLeadsOut() throws {
        try fuzz("names", ["/", "..", "../", ".git", ".gpg-id", "/./", ".gpg", "//"]) { input in
            guard let name = try? EntryName(input) else { return false }
            for component in name.components {
                let text = String(decoding: component, as: UTF8.self).lowercased()
                try require(
                    !["", ".", "..", ".git", ".gpg-id", ".extensions"].contains(text),
                    "a component \(text)"
                )
                try require(!component.contains(0x2F), "a slash in a component")
            }
            let path = name.filePath
            try require(name.isRoot || !path.isAbsolute, "an absolute path")
            try require(name.isRoot || path.bytes.suffix(4) == Array(".gpg".utf8)[...], "no .gpg")
            return true
        }
    }
}

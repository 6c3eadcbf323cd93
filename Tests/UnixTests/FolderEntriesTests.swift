import Glibc
import TestSupport
import Testing

@testable import Unix

@Suite struct FolderEntriesTests {
    let scratch = TestFolder()

    private func names() throws -> [[UInt8]] { try ConfinedFolder(scratch.path).names() }

    /// The tree's names, which are in order.
    private func tree() throws -> [[UInt8]] {
        var walk = FolderWalk()
        walk.includesHidden = true
        let tree = try walk.read("", in: ConfinedFolder(scratch.path))
        return tree.nodes.map { Array(tree.name(of: $0)) }
    }

    /// The kernel hands them out in several parts.
    @Test func readsMoreNamesThanOneCallGives() throws {
        let expected = (0..<1000).map { number in
            let digits = Array("\(number)".utf8)
            return digits + [UInt8](repeating: 0x78, count: number % 250 + 1)
        }
        for name in expected { scratch.file(Path(name)) }
        #expect(try Set(names()) == Set(expected))
        #expect(try names().count == 1000)
        #expect(try tree() == expected.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func readsNamesOfAllLengths() throws {
        #expect(try names().isEmpty && tree().isEmpty)
        let expected = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 254, 255].map { [UInt8](repeating: 0x61, count: $0) }
        for name in expected { scratch.file(Path(name)) }
        #expect(try Set(names()) == Set(expected))
        #expect(try tree() == expected)
    }

    @Test func choosesNames() throws {
        for name in ["a", "ab", ".a", "b"] as [Path] { scratch.file(name) }
        let chosen = try ConfinedFolder(scratch.path).names { $0.last == UInt8(ascii: "a") }
        #expect(Set(chosen) == [Array("a".utf8), Array(".a".utf8)])
    }

    /// They differ at their ends, within the first eight bytes or behind them, and in bytes beyond ASCII.
    @Test func sortsByBytesWhereverNamesDiffer() throws {
        let ordered: [[UInt8]] = [
            Array("...".utf8), Array(".a".utf8), Array("abcdefg".utf8), Array("abcdefg ".utf8),
            Array("abcdefg~".utf8),
            Array("abcdefg~\u{1}".utf8), Array("abcdefg~a".utf8), Array("abcdefg~b".utf8),
            Array("abcdefg~ba".utf8),
            Array("abcdefg~".utf8) + [0xFF], Array("abcdefg".utf8) + [0x80],
            Array("abcdefg".utf8) + [0xFF, 0x61],
            [0x7F], [0x80], [0xFE], [0xFF], [0xFF, 0x01],
        ]
        var generator = SeededGenerator.forTest()
        for name in ordered.shuffled(using: &generator) { scratch.file(Path(name)) }
        #expect(try tree() == ordered, "\(generator)")
    }

    /// The kernel has an error for it.
    @Test func aFolderThatWasRemovedHasNoNames() throws {
        scratch.folder("folder")
        let folder = try ConfinedFolder(scratch.path.appending("folder"))
        #expect(rmdir(scratch.cPath("folder")) == 0)
        #expect(try folder.names().isEmpty)
        #expect(try FolderWalk().read("", in: folder).nodes.isEmpty)
    }

    @Test func whatIsNoFolderIsAnError() throws {
        scratch.file("file")
        let file = try ConfinedFolder(scratch.path).locate("file").openForReading()
        #expect(throws: FolderReading.Failure.self) { try FolderEntries().forEach(in: file.number) { _ in } }
    }
}

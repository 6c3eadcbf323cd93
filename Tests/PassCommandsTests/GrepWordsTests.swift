import Testing

@testable import PassCommands

/// What the words behind `grep` make it do, as grep(1) 3.8 reads them.
@Suite struct GrepWordsTests {
    private func words(_ line: String) -> GrepWords {
        GrepWords(line.split(separator: " ").map { Array($0.utf8) })
    }

    @Test(arguments: [
        "-r x", "x -R", "-ir x", "--recursive x", "--rec x", "--dereference-recursive x", "--de x",
        "-d recurse x",
        "-drec x", "-id recurse x", "--directories=recurse x", "--directories recurse x", "--dir rec x",
        "-e x -r", "-A 1 -r x", "--context 1 -r x", "--color -r x", "--max 1 -r x",
    ])
    func findsWhatSearchesFiles(_ line: String) {
        #expect(words(line).recursiveOption != nil)
    }

    @Test(arguments: [
        "x", "-- -r", "-e -r", "--regexp -r", "--regexp=-r", "--rege -r", "-d skip x", "--directories skip x",
        "-ie -r x",
        "--context -r x", "-A -r x", "--file -r", "--regexp --recursive",
    ])
    func leavesTheRestAlone(_ line: String) {
        #expect(words(line).recursiveOption == nil)
    }

    @Test(arguments: [
        "x", "-i x", "-ivwx x", "-e x -e y", "-A1 x", "-C 2 x", "-m1 x", "--count x", "-- -z", "-3 x",
    ])
    func searchesEntriesTogether(_ line: String) {
        #expect(words(line).judgesEachLineAlone)
    }

    @Test(arguments: [
        "-L x", "-z x", "-P x", "-I x", "-U x", "-a x", "-f -", "-if - x", "--null-data x", "--coun x",
        "-e x -L",
        "--perl-regexp x", "-d skip x", "--binary-files text x", "\\`x", "-e \\`x",
    ])
    func searchesEntriesOneByOne(_ line: String) {
        #expect(!words(line).judgesEachLineAlone)
    }

    @Test(arguments: [
        "x", "-i x", "-Eivwxy x", "-e x -e y", "-e x", "-ie x", "x -i", "--invert-match x", "-- -x", "-",
    ])
    func tellsEntriesApartByLines(_ line: String) {
        #expect(words(line).printsMatchingLines)
    }

    @Test(arguments: [
        "x file", "-e x file", "-e x -- file", "-- x -i", "", "-n x", "-c x", "-l x", "-o x", "-q x", "-m1 x",
        "-A1 x", "-1 x", "-b x", "-H x", "-T x", "--line-number x", "--count x", "--color x", "-P x", "-z x",
        "\\`x", "x -", "--regexp x",
    ])
    func asksForEachEntryAlone(_ line: String) {
        #expect(!words(line).printsMatchingLines)
    }
}

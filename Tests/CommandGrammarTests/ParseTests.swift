import Testing

@testable import CommandGrammar

@Suite struct ParseTests {
    private func parse(_ command: Command, _ words: String...) throws -> Arguments {
        try command.parse(words.map { Word($0.utf8) })
    }

    private func faults(_ command: Command, _ words: String...) -> [UsageError.Fault] {
        do throws(UsageError) {
            _ = try command.parse(words.map { Word($0.utf8) })
            return []
        } catch { return error.faults }
    }

    @Test func anOptionIsFoundByItsConstant() throws {
        let arguments = try parse(Sample.insert, "name", "-f")
        #expect(arguments.contains(Sample.force))
        #expect(!arguments.contains(Sample.echo))
        #expect(arguments.operands == [Word("name".utf8)])
        #expect(arguments.operand(0) == Word("name".utf8))
        #expect(arguments.operand(1) == nil)
    }

    @Test func anOptionalValueMustBeAttached() throws {
        #expect(try parse(Sample.show, "-c2", "x").value(Sample.clip) == Word("2".utf8))
        #expect(try parse(Sample.show, "--clip=2", "x").value(Sample.clip) == Word("2".utf8))
        let apart = try parse(Sample.show, "-c", "2")
        #expect(apart.contains(Sample.clip))
        #expect(apart.value(Sample.clip) == nil)
        #expect(apart.operands == [Word("2".utf8)])
    }

    @Test func anEmptyAttachedValueIsAValue() throws {
        #expect(try parse(Sample.show, "--clip=").value(Sample.clip) == [])
        #expect(try parse(Sample.initialize, "--path=", "id").value(Sample.path) == [])
    }

    @Test func theLastOfRepeatedOptionsCounts() throws {
        #expect(try parse(Sample.show, "-c2", "--clip=3").value(Sample.clip) == Word("3".utf8))
        let last = try parse(Sample.show, "-c2", "-c")
        #expect(last.contains(Sample.clip))
        #expect(last.value(Sample.clip) == nil)
    }

    @Test func aRequiredValueTakesTheNextWordWhateverItIs() throws {
        let arguments = try parse(Sample.initialize, "-p", "--", "-p", "-x", "id")
        #expect(arguments.value(Sample.path) == Word("-x".utf8))
        #expect(arguments.operands == [Word("id".utf8)])
    }

    @Test func theFirstOperandEndsTheOptionsForPOSIX() throws {
        let words = ["-f", "a", "-r", "--"].map { Word($0.utf8) }
        let arguments = try Sample.move.parse(
            Array(words.prefix(2)) + [Word("-f".utf8)],
            posixlyCorrect: true
        )
        #expect(arguments.operands == [Word("a".utf8), Word("-f".utf8)])
        #expect(throws: UsageError(faults: [.tooManyOperands])) {
            try Sample.remove.parse(words, posixlyCorrect: true)
        }
    }

    @Test func wordsTakenVerbatimKeepDashesAndDoubleDashes() throws {
        #expect(try parse(Sample.find, "--", "-a").operands == ["--", "-a"].map { Word($0.utf8) })
        #expect(try parse(Sample.edit, "-f").operands == [Word("-f".utf8)])
        #expect(faults(Sample.edit, "--", "a") == [.tooManyOperands])
    }

    @Test func amongWordsTakenVerbatimTheFirstMayBeAnOption() throws {
        let arguments = try parse(Sample.find, "--json", "--json", "a")
        #expect(arguments.contains(Sample.json))
        #expect(arguments.operands == ["--json", "a"].map { Word($0.utf8) })
        for words in [["a", "--json"], ["--jso", "a"], ["--json=", "a"], ["--", "--json"]] {
            let words = words.map { Word($0.utf8) }
            let arguments = try Sample.find.parse(words)
            #expect(!arguments.contains(Sample.json))
            #expect(arguments.operands == words)
        }
        #expect(faults(Sample.find, "--json") == [.tooFewOperands])
    }

    @Test func inThePlaceOfPassWordsTakenVerbatimAreNoOptions() throws {
        let arguments = try Sample.find.parse([Word("--json".utf8)], asDropIn: true)
        #expect(!arguments.contains(Sample.json))
        #expect(arguments.operands == [Word("--json".utf8)])
    }

    @Test func optionsThatExcludeEachOtherAreRefused() {
        #expect(faults(Sample.insert, "-em", "x") == [.exclusiveOptions([Sample.echo, Sample.multiline])])
        #expect(faults(Sample.show, "-c", "-q", "x") == [.exclusiveOptions([Sample.clip, Sample.qrcode])])
        #expect(faults(Sample.generate, "-fi", "x") == [.exclusiveOptions([Sample.inPlace, Sample.force])])
        #expect(
            faults(Sample.generate, "-c", "-q", "x")
                == [.exclusiveOptions([Sample.clipSwitch, Sample.qrcodeSwitch])]
        )
        let error = UsageError(faults: [.exclusiveOptions([Sample.echo, Sample.multiline])])
        #expect(error.messages(program: Word("p".utf8), asDropIn: true) == [])
        #expect(
            error.messages(program: Word("p".utf8))
                == [Word("p: options '--echo' and '--multiline' exclude each other".utf8)]
        )
    }

    @Test func oneOptionTwiceDoesNotExcludeItself() throws {
        #expect(try parse(Sample.insert, "-e", "--echo", "x").contains(Sample.echo))
    }

    @Test(arguments: [
        (Sample.insert, 0), (Sample.insert, 2), (Sample.move, 1), (Sample.move, 3), (Sample.generate, 0),
        (Sample.generate, 3), (Sample.initialize, 0), (Sample.find, 0), (Sample.grep, 0), (Sample.edit, 0),
        (Sample.edit, 2),
    ])
    func aWrongNumberOfOperandsIsRefused(_ command: Command, _ count: Int) {
        #expect(throws: UsageError.self) { try command.parse(Array(repeating: [120], count: count)) }
    }

    @Test(arguments: [
        (Sample.insert, 1), (Sample.move, 2), (Sample.generate, 1), (Sample.generate, 2),
        (Sample.initialize, 1),
        (Sample.initialize, 9), (Sample.show, 0), (Sample.show, 1), (Sample.show, 5), (Sample.git, 0),
        (Sample.git, 7), (Sample.grep, 3),
    ])
    func aRightNumberOfOperandsIsAccepted(_ command: Command, _ count: Int) throws {
        #expect(try command.parse(Array(repeating: [120], count: count)).operands.count == count)
    }

    @Test func everyMistakeIsReportedInOrder() {
        let found = faults(Sample.initialize, "-xyp1", "--nosuch", "-p")
        #expect(
            found == [
                .unknownLetter(UInt8(ascii: "x")), .unknownLetter(UInt8(ascii: "y")),
                .unknownOption(Word("nosuch".utf8)), .missingValueAfterLetter(UInt8(ascii: "p")),
                .tooFewOperands,
            ]
        )
        #expect(UsageError(faults: found).messages(program: Word("pass".utf8)).count == 4)
    }

    @Test func bytesThatAreNoTextPassThrough() throws {
        #expect(try Sample.insert.parse([[0xFF, 0xFE]]).operands == [[0xFF, 0xFE]])
        let error = UsageError(faults: [.unknownLetter(0xFF)])
        #expect(error.messages(program: [0x70]) == [Word("p: invalid option -- '".utf8) + [0xFF, 0x27]])
    }
}

import CommandGrammar
import TestSupport
import Testing

@testable import passchain_docs

/// What the script for bash offers, by calling `_passchain` as bash does.
@Suite struct BashCompletionTests {
    private let shell: TypingShell

    /// So many names that they are not looked at one by one.
    private static let many = (0..<300).map { "a&b $/\($0)" }

    init() throws {
        shell = try TypingShell(
            .bash,
            .init(
                entries: ["Email/home", "Web/only", "a$b", "x y:z"].map { Word($0.utf8) },
                folders: ["Email/", "Web/"].map { Word($0.utf8) },
                keys: ["alice"].map { Word($0.utf8) }
            )
        )
    }

    /// The candidates for a line; `replacing` is the part of its last word that readline would replace.
    private func candidates(
        _ line: String,
        replacing text: String,
        setup: String = "",
        in shell: TypingShell? = nil
    ) throws -> [String] {
        let shell = shell ?? self.shell
        let quoted = [line, text].map {
            "'"
                + $0.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
        }
        let call = """
            set -u
            . ~/completions/passchain
            \(setup)
            COMP_LINE=\(quoted[0]) COMP_POINT=${#COMP_LINE}
            _passchain passchain \(quoted[1]) ''
            with=("${COMPREPLY[@]}")
            _passchain
            [[ ${with[*]} == "${COMPREPLY[*]}" ]] || COMPREPLY+=("without $2:")
            printf '%s\\0' "${COMPREPLY[@]}"
            """
        let home = shell.folder.path
        let result = try Program.bash.run(
            ["-c", call],
            environment: ["HOME": home, "PATH": "\(home)/bin:\(TestPrograms.folder)"]
        )
        return result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    @Test func theFirstWordIsASubcommandOrAnEntry() throws {
        let names = Sample.all.filter { !$0.isHidden }.flatMap { [$0.name] + $0.aliases }.filter {
            !$0.hasPrefix("-")
        }
        #expect(
            try candidates("passchain ", replacing: "")
                == (names + ["Email/", "Web/", "a$b", "x y:z"]).sorted()
        )
    }

    @Test func theFirstWordMayBeAnOptionOfTheCommandThatGetsTheRest() throws {
        #expect(
            try candidates("passchain -", replacing: "-") == ["--clip", "--help", "--qrcode", "-c", "-q"]
        )
    }

    @Test func optionsAreOfferedOnceAndWithoutWhatTheyExclude() throws {
        #expect(
            try candidates("passchain insert -", replacing: "-")
                == ["--echo", "--force", "--multiline", "-e", "-f", "-m"]
        )
        #expect(try candidates("passchain insert -e -", replacing: "-") == ["--force", "-f"])
        #expect(try candidates("passchain insert --multiline x -", replacing: "-") == ["--force", "-f"])
        #expect(try candidates("passchain init -", replacing: "-") == ["--path=", "-p"])
        #expect(try candidates("passchain init --path=x -", replacing: "-") == [])
    }

    @Test(arguments: [
        "passchain insert -- -", "passchain edit -", "passchain find x -", "passchain find --json -",
        "pass find -", "~/bin/pass search -",
    ])
    func noOptionsAreOfferedWhereTheyAreOperands(_ line: String) throws {
        #expect(try candidates(line, replacing: "-") == [])
    }

    @Test(arguments: [
        ("passchain init -", "-", ["--path=", "-p"]),
        ("passchain init --pa Em", "Em", ["Email/"]),
        ("passchain init -p ", "", ["Email/", "Web/"]),
        ("passchain init --path=", "", ["Email/", "Web/"]),
        ("passchain init -p Web ", "", ["alice"]),
        ("passchain init -pWeb ", "", ["alice"]),
        ("passchain find -", "-", ["--json"]),
        ("/usr/bin/passchain search --j", "--j", ["--json"]),
        ("passchain find ", "", []),
        ("passchain show -c ", "", ["Email/", "Web/", "a$b", "x y:z"]),
        ("passchain show x ", "", []),
        ("passchain mv x ", "", ["Email/", "Web/", "a$b", "x y:z"]),
        ("passchain mv x y ", "", []),
        ("passchain git pu", "pu", ["pull", "push"]),
        ("passchain git push ", "", []),
        ("passchain rm -rf W", "W", ["Web/"]),
        ("passchain ticket ", "", ["Email/", "Web/", "a$b", "code", "display", "enrol", "take", "x y:z"]),
        ("passchain ticket W", "W", ["Web/"]),
        ("passchain ticket -", "-", ["--clip", "-c"]),
        ("passchain ticket -c W", "W", ["Web/"]),
        ("passchain ticket x ", "", []),
        ("passchain ticket code ", "", ["Email/", "Web/", "a$b", "x y:z"]),
        ("passchain ticket take -", "-", ["--force", "--issuer=", "-f", "-i"]),
        ("passchain ticket enrol -i ", "", []),
        ("passchain ticket enrol -i x W", "W", ["Web/"]),
        ("passchain ticket enrol x ", "", []),
        ("passchain enrol W", "W", []),
        ("passchain help ti", "ti", ["ticket"]),
        ("passchain help ticket ", "", ["code", "display", "enrol", "take"]),
        ("passchain --help ticket en", "en", ["enrol"]),
        ("passchain help insert ", "", []), ("passchain help ticket code ", "", []),
        ("passchain show x > ", "", []),
        ("passchain 2>x show W", "W", ["Web/"]),
        ("passchain show >x W", "W", ["Web/"]),
        ("passchain show 'a", "a", ["a$b'"]),
        ("passchain show a", "a", ["a\\$b"]),
        ("passchain show a$", "a$", ["a\\$b"]),
        ("passchain show \"a$", "a$", ["a\\$b\""]),
        ("passchain show x\\ y:", "", ["z"]),
        ("passchain show x\" y\"", "x\" y\"", ["x\" y\":z"]),
        ("passchain show x\\", "x\\", ["x\\ y:z"]),
        ("passchain show $'x", "x", ["x y:z'"]),
        ("passchain show $'x\\x20'y", "$'x\\x20'y", ["$'x\\x20'y:z"]),
        ("passchain show nosuch", "nosuch", []),
    ])
    func aWordIsCompletedInItsPlace(_ line: String, _ text: String, _ expected: [String]) throws {
        #expect(try candidates(line, replacing: text) == expected)
    }

    /// What is typed, what readline replaces, and what the names begin with then.
    @Test(arguments: [
        ("passchain show \"a&b $/", "a&b $/", "a&b \\$/"),
        ("passchain show 'a&b $/", "a&b $/", "a&b $/"),
        ("passchain show a\\&b\\ \\$/", "a\\&b\\ \\$/", "a\\&b\\ \\$/"),
        ("passchain show a", "a", "a\\&b\\ \\$/"),
    ])
    func manyNamesAreQuotedAsFewAre(_ line: String, _ text: String, _ start: String) throws {
        let shell = try TypingShell(.bash, .init(entries: Self.many.map { Word($0.utf8) }))
        let found = try candidates(line, replacing: text, in: shell)
        if line.hasSuffix("/") {
            #expect(found == (0..<300).map { "\(start)\($0)" }.sorted())
        } else {
            #expect(found == [start], "one level at a time")
        }
    }

    @Test func ofManyNamesThoseThatBeginSoAreOffered() throws {
        let names = (0..<300).map { "find \($0)" }
        let shell = try TypingShell(.bash, .init(entries: names.map { Word($0.utf8) }))
        #expect(try candidates("passchain ", replacing: "", in: shell).count > 300)
        #expect(
            try candidates("passchain fi", replacing: "fi", in: shell)
                == (["find"] + names.map { $0 }).sorted()
        )
    }

    @Test func aPathToTheToolIsAsked() throws {
        #expect(try candidates("~/bin/passchain show W", replacing: "W", setup: "PATH=/usr/bin") == ["Web/"])
        #expect(
            try candidates("\(shell.folder.path)/bin/passchain W", replacing: "W", setup: "PATH=/usr/bin")
                == ["Web/"]
        )
        #expect(
            try candidates("nosuch show W", replacing: "W") == ["Web/"],
            "the tool stands behind other names"
        )
    }

    /// The contract of pass's own completion.
    @Test func extensionsCompleteTheirOwnWords() throws {
        let setup = """
            PASSWORD_STORE_EXTENSION_COMMANDS+=(otp)
            __password_store_extension_complete_otp() {
                if [[ $COMP_CWORD -gt 3 ]]; then
                    _pass_complete_keys
                elif [[ $COMP_CWORD -gt 2 ]]; then
                    [[ ${COMP_WORDS[2]} == a:b ]] && COMPREPLY+=($(compgen -W "-f --force" -- ${cur}))
                    _pass_complete_entries 1
                else
                    COMPREPLY+=($(compgen -W "insert uri" -- ${cur}))
                    _pass_complete_folders
                fi
            }
            """
        #expect(try candidates("passchain ot", replacing: "ot", setup: setup) == ["otp"])
        #expect(
            try candidates("passchain otp ", replacing: "", setup: setup) == [
                "Email/", "Web/", "insert", "uri",
            ]
        )
        #expect(try candidates("passchain otp a:b -", replacing: "-", setup: setup) == ["--force", "-f"])
        #expect(try candidates("passchain otp a:b W", replacing: "W", setup: setup) == ["Web/only"])
        #expect(try candidates("passchain otp a b ", replacing: "", setup: setup) == ["alice"])
    }

    @Test(arguments: [("pass", true), ("pass.bash", true), ("passchain.bash", false)])
    func theNameOfTheFileDecidesWhatIsCompleted(_ name: String, _ isDropIn: Bool) throws {
        let file = try shell.folder.write(Word(Sample.scripts.bash.utf8), to: "other/\(name)")
        let result = try Program.bash.run([
            "-c", ". \(file); complete -p passchain; complete -p pass; compgen -A function",
        ])
        #expect(result.text.contains("complete -o filenames -F _passchain passchain\n"))
        #expect(result.text.contains("complete -o filenames -F _pass pass\n") == isDropIn)
        let named = result.text.split(separator: "\n").filter { $0 == "_pass" || $0.hasPrefix("_pass_") }
        let known = ["_pass", "_pass_complete_entries", "_pass_complete_folders", "_pass_complete_keys"]
        #expect(named.map(String.init) == (isDropIn ? known : []), "others are of our own name")
    }

    @Test func anExtensionLeavesTheFunctionsOfPassAsTheyWere() throws {
        let setup = """
            PASSWORD_STORE_EXTENSION_COMMANDS+=(tail)
            __password_store_extension_complete_tail() { _pass_complete_entries; _pass_complete_folders; }
            _pass_complete_entries() { COMPREPLY+=("Wrong: $cur"); }
            before=$(declare -f _pass_complete_entries)
            trap '[[ $(declare -f _pass_complete_entries) == "$before" ]] || echo changed
                ! declare -F _pass_complete_folders' EXIT
            """
        #expect(try candidates("passchain tail W", replacing: "W", setup: setup) == ["Web/"])
    }
}

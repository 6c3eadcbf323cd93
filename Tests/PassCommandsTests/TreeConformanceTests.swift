import Glibc
import TestSupport
import Testing
import Unix

@testable import PassCommands

/// What `ls` and `find` draw, compared with the real `pass` and `tree` byte by byte.
@Suite(.enabled(if: Programs.areInstalled("pass", "tree"), "needs pass and tree"))
struct TreeConformanceTests {
    let scratch = TestFolder()
    var store: Path { scratch.path.appending("store") }

    /// A store with everything in it that can be listed.
    init() {
        let names: [[UInt8]] =
            [
                "Email/home", "Email/work", "a", "a-b", "a/inner", "B", "\u{E9}t\u{E9}", "\u{1F511} key",
                "a b  c",
                "it's", "say \"hi\"", "$x `y` \\z", "new\nline", "cut.gpg\nhere", "tab\there",
                "\u{1B}[31mred", "-dash",
                "x.gpg", "dir.gpg/in", "arrow -> b.gpg -> c", "deep/1/2/3/4/5/6", "last/one/two", "{}", "[1]",
                "*",
            ].map { Array($0.utf8) } + [[0xE9], [0x62, 0xFF, 0x2E], [0x01], [0x7F]]
        for name in names { scratch.file(Path(Array("store/".utf8) + name + Array(".gpg".utf8))) }
        for name: Path in [
            "notes.txt", "UP.GPG", "pic.JPG", "archive.tar.gz", "README", "x.zip.gpg", "noext.", "gpg",
        ] {
            scratch.file(Path("store").appending(name))
        }
        scratch.file("store/program", mode: 0o755)
        scratch.file("store/program.gpg", mode: 0o744)
        scratch.file("store/suid.gpg", mode: 0o4755)
        scratch.file("store/sgid.gpg", mode: 0o2644)
        scratch.folder("store/empty")
        scratch.folder("store/full/empty")
        scratch.folder("store/sticky", mode: 0o1755)
        scratch.folder("store/shared", mode: 0o777)
        scratch.folder("store/tmp", mode: 0o1777)
        mkfifo(scratch.cPath("store/pipe"), 0o644)
        scratch.file("store/.gpg-id")
        scratch.file("store/.git/config.gpg")
        scratch.link("store/entrylink.gpg", to: "a.gpg")
        scratch.link("store/imagelink", to: "pic.JPG")
        scratch.link("store/programlink", to: "program")
        scratch.link("store/pipelink", to: "pipe")
        scratch.link("store/dangling.gpg", to: "no/where.gpg")
        scratch.link("store/Zlink", to: "Email")
        scratch.link("store/aa-early", to: "last")
        scratch.link("store/deep/1/up", to: "../..")
        scratch.link("store/empty/self", to: ".")
        scratch.link("store/dirlink.gpg", to: "dir.gpg")
    }

    /// What pass prints below its header.
    private func drawnByPass(_ arguments: [String], _ variables: [String: String]) throws -> [UInt8] {
        var variables = variables
        variables["PASSWORD_STORE_DIR"] = store.description
        variables["HOME"] = scratch.path.description
        let words = arguments.map { Array($0.utf8) }
        let output = try Programs.output(of: "pass", words, variables)
        let headerEnd = try #require(output.firstIndex(of: UInt8(ascii: "\n")))
        return Array(output[(headerEnd + 1)...])
    }

    private func draw(_ folder: Path, _ variables: [String: String], finding terms: [String] = []) throws
        -> [UInt8]
    {
        let environment = Environment(variables)
        let locale = TextLocale(environment: environment)
        let text = TreeText(environment: environment, locale: locale)
        let tree = try text.walk.start(folder, in: ConfinedFolder(store))
        guard !terms.isEmpty else { return text.draw(tree) }
        return text.draw(NamePattern(terms: terms.map { Array($0.utf8) }).search(tree.finish()))
    }

    /// Shows where two texts part.
    private func firstDifference(_ ours: [UInt8], _ theirs: [UInt8]) -> String? {
        guard ours != theirs else { return nil }
        let lines = (ours, theirs)
        let ourLines = lines.0.split(separator: 0x0A, omittingEmptySubsequences: false)
        let theirLines = lines.1.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (our, their) in zip(ourLines, theirLines) where our != their {
            return "\(String(decoding: our, as: UTF8.self).debugDescription) is not "
                + String(decoding: their, as: UTF8.self).debugDescription
        }
        return "\(ourLines.count) lines are not \(theirLines.count)"
    }

    static let settings: [[String: String]] = [
        ["LC_ALL": "C.UTF-8"],
        ["LC_ALL": "C.UTF-8", "TERM": "dumb"],
        ["LC_ALL": "C.UTF-8", "TERM": "xterm"],
        ["LC_ALL": "C", "TERM": "xterm"],
        ["LC_ALL": "C"],
        ["LANG": "C.UTF-8", "LC_CTYPE": "POSIX"],
        ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR": "0"],
        // Whether the machine has them or not.
        ["LC_ALL": "en_US.ISO-8859-1", "TERM": "xterm"],
        ["LANG": "de_DE.ISO-8859-15@euro", "TERM": "dumb", "NO_COLOR": "1"],
        ["LC_ALL": "C.UTF-8", "TERM": "xterm", "LS_COLORS": "", "TREE_COLORS": ""],
        ["LC_ALL": "C.UTF-8", "TERM": "xterm", "LS_COLORS": "di=1", "TREE_COLORS": ""],
        ["LC_ALL": "C.UTF-8", "TERM": "xterm", "LS_COLORS": "di=1:ln=2", "TREE_COLORS": "di=3"],
        [
            "LC_ALL": "C.UTF-8", "TERM": "xterm",
            "LS_COLORS":
                "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01:cd=40;33;01:or=40;31;01"
                + ":mi=00:su=37;41:sg=30;43:ca=00:tw=30;42:ow=34;42:st=37;44:ex=01;32:*.gpg=01;33:*.txt=00;90",
        ],
        ["TERM": "xterm", "LS_COLORS": "rs=00;7:lc=<:rc=>:ec=END:di=1:fi=2"],
        ["TERM": "xterm", "LS_COLORS": "rs=7:di=1:fi=2"],
        ["TERM": "xterm", "LS_COLORS": "rs=7;8:*.gpg=2"],
        ["TERM": "xterm", "LS_COLORS": "ln=target:di=1:ex=2:or=3"],
        ["TERM": "xterm", "LS_COLORS": "ln=TARGET:di=1:fi=2"],
        ["TERM": "xterm", "LS_COLORS": "no=9:or=8"],
        ["TERM": "xterm", "LS_COLORS": "no=9:mi=7:ln=4"],
        ["TERM": "xterm", "LS_COLORS": "*=5:*.gpg=6:*README=4:*gpg=3"],
        ["TERM": "xterm", "LS_COLORS": "*.gpg=6:*=5"],
        ["TERM": "xterm", "LS_COLORS": "*.gpg=6:*.gpg=7:di=1:di=2"],
        ["TERM": "xterm", "LS_COLORS": "::=:di=:=fi=3:di=1=2:xx=4:*.gpg=\\e[1:st=5:ow=6:tw="],
        ["TERM": "xterm", "LS_COLORS": "tw=1:di=2"],
        ["TERM": "xterm", "LS_COLORS": "st=1:ow=3"],
        ["TERM": "", "LC_ALL": "C.UTF-8"],
        ["TERM": "xterm", "TREE_CHARSET": "ISO-8859-1"],
        ["LC_ALL": "C", "TREE_CHARSET": "UTF-8"],
        ["LC_ALL": "C.UTF-8", "TREE_CHARSET": ""],
        ["LC_ALL": "C.UTF-8", "TREE_CHARSET": "nonsense"],
    ]

    @Test(arguments: settings) func listsAsPassDoes(_ variables: [String: String]) throws {
        let difference = try firstDifference(draw("", variables), drawnByPass(["ls"], variables))
        #expect(difference == nil)
    }

    @Test(arguments: ["Email", "deep", "dir.gpg", "deep/1/2", "a/"])
    func listsASubfolderAsPassDoes(_ name: String) throws {
        for variables in [["LC_ALL": "C.UTF-8", "TERM": "xterm"], ["LC_ALL": "C"]] {
            let theirs = try drawnByPass(["ls", name.hasSuffix("/") ? name : name + "/"], variables)
            let difference = try firstDifference(draw(Path(name), variables), theirs)
            #expect(difference == nil)
        }
    }

    @Test(arguments: [
        "ANSI", "ISO-8859-1", "iso-8859-1:1987", "ISO_8859-1", "latin1", "L1", "IBM819", "CP819",
        "csISOLatin1",
        "ISO-8859-3", "ISO_8859-3:1988", "ISO_8859-3", "latin3", "ls", "csISOLatin3", "ISO-8859-7",
        "ISO_8859-7:1987", "ISO_8859-7", "ELOT_928", "ECMA-118", "greek", "greek8", "csISOLatinGreek",
        "ISO-8859-8",
        "ISO_8859-8:1988", "iso-ir-138", "ISO_8859-8", "hebrew", "csISOLatinHebrew", "ISO-8859-9",
        "ISO_8859-9:1989", "iso-ir-148", "ISO_8859-9", "latin5", "l5", "csISOLatin5", "Shift_JIS", "MS_Kanji",
        "csShiftJIS", "EUC-JP", "Extended_UNIX_Code_Packed_Format_for_Japanese", "csEUCPkdFmtJapanese",
        "EUC-KR",
        "csEUCKR", "ISO-2022-JP", "csISO2022JP", "ISO-2022-JP-2", "csISO2022JP2", "IBM437", "cp437", "437",
        "csPC8CodePage437", "IBM852", "cp852", "852", "csPCp852", "IBM863", "cp863", "863", "csIBM863",
        "IBM855",
        "cp855", "855", "csIBM855", "IBM865", "cp865", "865", "csIBM865", "IBM866", "cp866", "866",
        "csIBM866",
        "IBM850", "cp850", "850", "csPC850Multilingual", "IBM00858", "CCSID00858", "CP00858",
        "PC-Multilingual-850+euro", "IBM869", "cp869", "869", "cp-gr", "csIBM869", "GB2312", "csGB2312",
        "UTF-8",
        "utf8", "Utf-8", "Big5", "csBig5", "VISCII", "csVISCII", "KOI8-R", "csKOI8R", "KOI8-U",
        "windows-1250",
        "windows-1257", "ISO-8859-1-Windows-3.1-Latin-1", "ISO-8859-2", "ISO-8859-15", "US-ASCII", "UTF8 ",
    ])
    func drawsTheLinesOfEveryCharset(_ charset: String) throws {
        let variables = ["TREE_CHARSET": charset]
        let difference = try firstDifference(
            draw("deep", variables),
            drawnByPass(["ls", "deep/"], variables)
        )
        #expect(difference == nil)
    }

    /// Patterns whose answer does not depend on the suffix, on folders, or on links.
    @Test(arguments: [
        ["home"], ["HOME"], ["work", "inner"], ["nothing here"], ["h?me"], ["[h-k]ome"], ["[^g]ome"],
        ["[x" + "h]ome"],
        ["no|home"], ["i*l"], ["\\*"], ["\\[1\\]"], ["'"], ["\u{E9}"], ["\u{C9}"], ["inn[e]r"],
        ["[A-I]NN"], ["[\\i]nn"], ["zz|\\$x", "wor"], ["$x"],
    ])
    func findsAsPassDoes(_ terms: [String]) throws {
        // tree 2.1.0 does not go into links when it searches.
        for link: Path in ["Zlink", "aa-early", "deep/1/up", "empty/self", "dirlink.gpg"] {
            unlink(scratch.cPath(Path("store").appending(link)))
        }
        for variables in [
            ["LC_ALL": "C.UTF-8", "TERM": "xterm"], ["LC_ALL": "C"],
            ["LC_ALL": "en_US.ISO-8859-1", "TERM": "dumb"],
            ["LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1"],
        ] {
            let ours = try draw("", variables, finding: terms)
            let difference = try firstDifference(ours, drawnByPass(["find"] + terms, variables))
            #expect(difference == nil)
        }
    }

    @Test func marksUnreadableFoldersAsPassDoes() async {
        await #expect(processExitsWith: .success) {
            Machine.becomeOrdinaryUser()
            let suite = TreeConformanceTests()
            suite.scratch.folder("store/Email", mode: 0)
            defer { suite.scratch.folder("store/Email", mode: 0o700) }
            let variables = ["LC_ALL": "C.UTF-8", "TERM": "xterm"]
            let difference = try suite.firstDifference(
                suite.draw("", variables),
                suite.drawnByPass(["ls"], variables)
            )
            #expect(difference == nil)
        }
    }
}

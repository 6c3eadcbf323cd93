import Foundation
import Testing
import Unix

/// What programs read: JSON, names for menus, single fields.
@Suite struct MachineOutputTests {
    private static let contents =
        "pw\"1\nLogin:  alice \nhttps://example.org\notpauth://totp/x?secret=AA\nlogin: bob\n"

    private func json(_ outcome: ToolFixture.Outcome) throws -> NSDictionary {
        guard outcome.status == 0 else { throw outcome }
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary
        )
    }

    @Test func showsAnEntryInJSON() throws {
        let tool = try ToolFixture()
        try tool.insert(Self.contents, as: "a/b")
        let fields = [["key": "Login", "value": "alice "], ["key": "login", "value": "bob"]]
        let expected: NSDictionary = [
            "name": "a/b", "password": "pw\"1", "fields": fields,
            "lines": Self.contents.split(separator: "\n").map(String.init),
        ]
        #expect(try json(tool.run("show", "--json", "/a//b")) == expected)
        try tool.insert("", as: "empty")
        #expect(
            try json(tool.run("--json", "empty"))
                == ["name": "empty", "password": "", "fields": [], "lines": []]
        )
    }

    @Test func keepsBytesThatAreNoText() throws {
        let tool = try ToolFixture()
        let raw = Array("a\u{0}b\nk: v\n".utf8) + [0xFF]
        let inserted = try tool.run(["insert", "-m", "x"], input: .bytes(raw))
        #expect(inserted.status == 0)
        let entry = try json(tool.run("show", "--json", "x"))
        #expect(entry["password"] as? String == "a\u{0}b")
        #expect(entry["lines"] as? [String] == ["a\u{0}b", "k: v", "\u{FFFD}"])
        #expect(entry["contents_hex"] as? String == "6100620a6b3a20760aff")
    }

    @Test func listsTheTreeInJSON() throws {
        let tool = try ToolFixture()
        for name in ["store/b.gpg", "store/sub/c.gpg", "store/sub/notes.txt", "store/.hidden.gpg"] {
            try tool.write("", to: name)
        }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: tool.store + "/sub/l.gpg", withDestinationPath: "c.gpg")
        try files.createSymbolicLink(atPath: tool.store + "/up", withDestinationPath: ".")
        let sub: [String: Any] = [
            "type": "folder", "name": "sub",
            "children": [
                ["type": "entry", "name": "sub/c"], ["type": "entry", "name": "sub/l", "target": "c"],
            ],
        ]
        let up: [String: Any] = ["type": "folder", "name": "up", "target": ".", "children": NSNull()]
        let expected: NSDictionary = [
            "type": "folder", "name": "", "children": [["type": "entry", "name": "b"], sub, up],
        ]
        #expect(try json(tool.run("ls", "--json")) == expected)
        #expect(try json(tool.run("list", "--json", "sub/")) == sub as NSDictionary)
        #expect(
            try json(tool.run("find", "--json", "C", as: "passchain"))
                == [
                    "type": "folder", "name": "",
                    "children": [
                        [
                            "type": "folder", "name": "sub",
                            "children": [["type": "entry", "name": "sub/c"]],
                        ]
                    ],
                ]
        )
    }

    @Test func listsFlatNamesForMenus() throws {
        let tool = try ToolFixture()
        for name in ["B b", "a/z", "a.c", "a/x.gpg", "a/new\nline", ".hidden"] {
            try tool.write("", to: "store/\(name).gpg")
        }
        try tool.write("", to: "store/a/README")
        try FileManager.default.createSymbolicLink(
            atPath: tool.store + "/l.gpg",
            withDestinationPath: "a/z.gpg"
        )
        let names = ["B b", "a.c", "a/new\nline", "a/x.gpg", "a/z", "l"]
        let without = [
            "GNUPGHOME": "/nonexistent", "LC_ALL": "en_US.UTF-8", "LS_COLORS": "di=1", "TERM": "xterm",
        ]
        #expect(try tool.run("ls", "--flat", with: without).output == names.map { $0 + "\n" }.joined())
        #expect(try tool.run("ls", "--flat", "-z", with: without).output == names.map { $0 + "\0" }.joined())
        #expect(try tool.run("ls", "--flat", "a", with: without).output == "a/new\nline\na/x.gpg\na/z\n")
        #expect(try tool.run("ls", "--flat", "a/z", with: without).output == "a/z\n")
    }

    @Test(arguments: [
        ("login", "alice \n"), ("LOGIN", "alice \n"), ("password", "pw\"1\n"), ("Password", "pw\"1\n"),
    ])
    func printsOneField(_ field: String, _ value: String) throws {
        let tool = try ToolFixture()
        try tool.insert(Self.contents, as: "a")
        #expect(try tool.run("show", "--field", field, "a").output == value)
        #expect(try tool.run("show", "--field=\(field)", "a").output == value)
        #expect(try tool.run("show", "a", field, as: "passchain").output == value)
        #expect(try tool.run("a", field, as: "passchain").output == value)
    }

    /// Entries from other systems end their lines with CRLF; the CR is no part of a value.
    @Test func leavesTheCROfALineEndOutOfValues() throws {
        let tool = try ToolFixture()
        let contents = "pw\r\nlogin: alice\r\nurl: a\rb\r\nempty:\r\nlast: x\r"
        try tool.insert(contents, as: "a")
        for (field, value) in [
            ("login", "alice"), ("password", "pw"), ("url", "a\rb"), ("empty", ""), ("last", "x\r"),
        ] {
            #expect(try tool.run("show", "--field", field, "a").output == value + "\n")
            #expect(try tool.run("a", field, as: "passchain").output == value + "\n")
        }
        let entry = try json(tool.run("show", "--json", "a"))
        #expect(entry["password"] as? String == "pw")
        #expect(
            entry["lines"] as? [String] == ["pw", "login: alice", "url: a\rb", "empty:", "last: x\r"]
        )
        let fields = try #require(entry["fields"] as? [[String: String]])
        #expect(fields.map { $0["value"] } == ["alice", "a\rb", "", "x\r"])
        #expect(try tool.contents(of: "a") == contents)
    }

    @Test func copiesAFieldWithoutTheCROfItsLineEnd() throws {
        let tool = try ToolFixture()
        try tool.insert("pw\r\nlogin: alice\r\n", as: "a")
        try tool.write("#!/bin/sh\ncat\n", to: "bin/qrencode", mode: 0o755)
        #expect(try tool.run("show", "-q", "--field=login", "a").output == "alice")
        #expect(try tool.run("show", "-q", "--field=password", "a").output == "pw")
        // pass's own words give pass's bytes.
        #expect(try tool.run("show", "-q1", "a").output == "pw\r")
        #expect(try tool.run("show", "-q2", "a").output == "login: alice\r")
    }

    @Test(arguments: ["https", "otpauth", "pw\"1", "", "log"])
    func refusesAFieldThatIsNotThere(_ field: String) throws {
        let tool = try ToolFixture()
        try tool.insert(Self.contents, as: "a")
        let outcome = try tool.run("show", "--field=\(field)", "a")
        #expect(outcome == .init(output: "", errors: "Error: a has no field \(field).\n", status: 1))
    }

    @Test(arguments: [
        (["--json", "--flat", "a"], "options '--json' and '--flat' exclude each other"),
        (["--json", "--field=login", "a"], "options '--json' and '--field' exclude each other"),
        (["--flat", "--clip", "a"], "options '--clip' and '--flat' exclude each other"),
        (["--field=login"], "option '--field' requires a pass-name"),
        (["--clip=2", "--field=login", "a"], "a line number and a field exclude each other"),
    ])
    func saysWhatDoesNotGoTogether(_ words: [String], _ sentence: String) throws {
        let tool = try ToolFixture()
        for name in ["pass", "passchain"] {
            let outcome = try tool.run(["show"] + words, as: name)
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.hasPrefix("\(name): \(sentence)\nUsage: \(name) show "), "\(outcome)")
        }
    }

    @Test(arguments: [
        (["show", "-z", "f"], "option '--null' requires '--flat'"),
        (["show", "--field=x", "a", "login"], "a second word and '--field' both name a field"),
        (["show", "-c", "-q", "f"], "options '--qrcode' and '--clip' exclude each other"),
        (["insert", "-e", "-m", "f"], "options '--echo' and '--multiline' exclude each other"),
    ])
    func saysMoreThanPassUnderItsOwnName(_ words: [String], _ sentence: String) throws {
        let tool = try ToolFixture()
        let outcome = try tool.run(words, as: "passchain")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.hasPrefix("passchain: \(sentence)\nUsage: passchain \(words[0]) "),
            "\(outcome)"
        )
        #expect(try !tool.run(words).errors.contains(sentence))
    }

    @Test func leavesPassItsWords() throws {
        let tool = try ToolFixture()
        try tool.insert(Self.contents, as: "a")
        #expect(try tool.run("show", "a", "login").output == Self.contents)
        #expect(try tool.run("a", "login").output == Self.contents)
        #expect(try tool.run("find", "--json", "a").output.hasPrefix("Search Terms: --json,a\n"))
        #expect(
            try tool.run("find", "a", "--json", as: "passchain").output.hasPrefix("Search Terms: a,--json\n")
        )
        #expect(try tool.run("version", "--json").output == tool.run("version").output)
        let noClipboard = "Error: No X11 or Wayland display detected\n"
        for word in ["--c", "--cl=9"] {
            #expect(try tool.run("show", word, "a").errors == noClipboard)
        }
        let noLine = "There is no password to put on the clipboard at line 9.\n"
        for word in ["--q=9", "--qr=9"] {
            #expect(try tool.run("show", word, "a").errors == noLine)
        }
    }

    @Test(arguments: ["--js", "--f", "--fl", "--fi=login", "--n"])
    func doesNotTakeItsOwnOptionsCutShort(_ word: String) throws {
        let outcome = try ToolFixture().run("show", word, "a")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("pass: unrecognized option '\(word)'\nUsage: "))
    }

    @Test func tellsItsVersionInJSON() throws {
        let version = try json(ToolFixture().run("version", "--json", as: "passchain"))
        #expect(version["name"] as? String == "passchain")
        #expect(version["pass"] as? String == "1.7.4")
    }
}

import PasswordStore
import Testing
import Unix

@Suite struct SettingsTests {
    private func settings(_ variables: [String: String]) -> Settings {
        Settings(environment: Environment(variables), currentFolder: "/here")
    }

    @Test(arguments: [
        (["HOME": "/home/a"], "/home/a/.password-store"),
        (["HOME": "/home/a", "PASSWORD_STORE_DIR": "/s"], "/s"),
        (["HOME": "/home/a", "PASSWORD_STORE_DIR": ""], "/home/a/.password-store"),
        (["PASSWORD_STORE_DIR": "s"], "/here/s"), (["PASSWORD_STORE_DIR": "./s/"], "/here/./s/"),
        ([:], "/.password-store"), (["HOME": ""], "/.password-store"),
        (["PASSWORD_STORE_DIR": "/with blank/s"], "/with blank/s"),
    ])
    func findsTheStore(_ variables: [String: String], _ root: String) {
        #expect(settings(variables).root == Path(root))
    }

    @Test(arguments: [
        ("PASSWORD_STORE_UMASK", ["077", "0", "u=rwx,g=,o="], ["999", "x", "-1"]),
        ("PASSCHAIN_JOBS", ["1", "64"], ["0", "65", "-1", "two", "1.5", " 4"]),
        ("PASSCHAIN_SIZE_LIMIT", ["0", "268435456"], ["-1", "1M", "268435457", "99999999999999999999"]),
        (
            "PASSWORD_STORE_ENABLE_EXTENSIONS", ["true", "false", "0", "no", "off"],
            ["1", "yes", "TRUE", "true "]
        ),
        (
            "PASSWORD_STORE_GPG_OPTS", ["--status-fd=2", "--status-fd 1 --armor", "--passphrase-fd 0"],
            ["--status-fd=99999", "--logger-fd 2", "--passphrase-fd=99999", "--command-fd=0 -v"]
        ),
        (
            "PASSWORD_STORE_SIGNING_KEY", [String(repeating: "aB", count: 20)],
            ["alice@example.org", "0123456789ABCDEF"]
        ),
    ])
    func tellsWhatCannotBeMeant(_ name: String, _ right: [String], _ wrong: [String]) {
        #expect(settings([:]).problems.isEmpty && settings([name: ""]).problems.isEmpty)
        for value in right { #expect(settings([name: value]).problems.isEmpty, "\(value)") }
        for value in wrong {
            let problems = settings([name: value]).problems
            #expect(problems.first?.name == name, "\(value)")
            #expect(problems.first.map { value.utf8.starts(with: $0.value) } == true, "\(value)")
        }
    }

    @Test func theSizeLimitIsNeverMoreThanCanBeReadAgain() {
        #expect(settings(["PASSCHAIN_SIZE_LIMIT": "1000000000"]).sizeLimit == Store.largestEntry)
        #expect(settings(["PASSCHAIN_SIZE_LIMIT": "1000"]).sizeLimit == 1000)
    }

    @Test func splitsLists() {
        let read = settings([
            "PASSWORD_STORE_KEY": " A  B\t", "PASSWORD_STORE_GPG_OPTS": "--armor --homedir /x",
            "PASSWORD_STORE_SIGNING_KEY": "",
        ])
        #expect(read.keys == ["A", "B"].map { Array($0.utf8) })
        #expect(read.gpgOptions.count == 3)
        #expect(read.signingKeys.isEmpty)
    }

    @Test func unsetAndEmptyMeanTheStandard() {
        for variables in [
            [:],
            Dictionary(uniqueKeysWithValues: Settings.variables.map { ($0.name, "") }),
        ] as [[String: String]] {
            let read = settings(variables)
            #expect(read.umask == Array("077".utf8))
            #expect(read.generatedLength == Array("25".utf8))
            #expect(read.clipTime == Array("45".utf8))
            #expect(read.xSelection == Array("clipboard".utf8))
            #expect(read.characterSet == Array("[:punct:][:alnum:]".utf8))
            #expect(!read.extensionsEnabled)
        }
    }

    @Test(arguments: ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"])
    func childrenAreNotLedToAnotherRepository(_ name: String) {
        #expect(settings([name: "/elsewhere"]).environment[name] == nil)
    }

    @Test func childrenGetEverythingElse() {
        let environment = settings(["PASSWORD_STORE_DIR": "/s", "LANG": "C", "GIT_AUTHOR_NAME": "x"])
            .environment
        #expect(environment["LANG"] == Array("C".utf8))
        #expect(environment["GIT_AUTHOR_NAME"] == Array("x".utf8))
        #expect(environment["GIT_CEILING_DIRECTORIES"] == Array("/s/..".utf8))
    }

    @Test func everyVariableIsDescribedOnce() {
        let names = Settings.variables.map(\.name)
        #expect(Set(names).count == names.count)
        for variable in Settings.variables { #expect(variable.meaning.hasSuffix(".")) }
    }
}

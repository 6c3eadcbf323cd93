import Foundation
import Testing
import Unix

/// What is saved, and what is said about it, when something comes in between.
@Suite struct WritingTests {
    let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    private func shell(_ script: String) throws -> ToolFixture.Outcome {
        let child = Subprocess(
            "/bin/bash",
            ["-c", script].map { Array($0.utf8) },
            environment: tool.environment
        )
        let outcome = try child.run()
        return ToolFixture.Outcome(
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    @Test func aReaderThatHasGoneDoesNotChangeTheStatus() throws {
        try tool.write("#!/bin/sh\nexit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        let script = "pass generate x | (exec <&-; sleep 0.5); echo ${PIPESTATUS[0]}"
        #expect(try shell(script).output == "3\n")
        #expect(try shell("pass show x | (exec <&-; sleep 0.5); echo ${PIPESTATUS[0]}").output == "0\n")
    }

    @Test func anEntryThatComesWhileOneIsTypedIsNotOverwritten() throws {
        try tool.insert("theirs\n", as: "other")
        let outcome = try shell(
            """
            coproc pass insert -m x; pid=$COPROC_PID in=${COPROC[1]}
            read -r -u ${COPROC[0]}
            cp \(tool.store)/other.gpg \(tool.store)/x.gpg
            echo mine >&$in; exec {in}>&-; wait $pid
            """
        )
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors == "Error: An entry already exists for x.\n")
        #expect(try tool.contents(of: "x") == "theirs\n")
    }

    @Test func nothingIsGeneratedThatCannotBeShown() throws {
        // A PATH with what is needed but qrencode.
        let programs = ["gpg", "gpgconf", "git", "sh"]
        for name in programs {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tool.folder)/bin/\(name)",
                withDestinationPath: name == "sh" ? "/bin/sh" : "/usr/bin/\(name)"
            )
        }
        let outcome = try tool.run("generate", "-q", "x", with: ["PATH": tool.folder + "/bin"])
        #expect(outcome.status == 1 && outcome.errors.contains("qrencode"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: tool.store + "/x.gpg"))
    }

    @Test func whatAFirstCommitLacksIsNamed() throws {
        try tool.write("#!/bin/sh\nexit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        let outcome = try tool.run("git", "init")
        #expect(outcome.status == 3)
        #expect(
            outcome.errors.hasSuffix(
                "Error: The repository is made, but its contents are not committed to git. "
                    + "Mend what git reports, then commit it.\n"
            ),
            "\(outcome)"
        )
    }

    /// What is wrong with a variable, and the value that holds in its place.
    @Test(arguments: [
        ("PASSWORD_STORE_UMASK", "99", "is no umask; 077 is used."),
        ("PASSCHAIN_SIZE_LIMIT", "many", "is no number of bytes from 0 to 268435456; 268435456 is used."),
        ("PASSCHAIN_JOBS", "65", "is no number from 1 to 64; 64 is used."),
    ])
    func whatStopsNothingIsAWarning(_ name: String, _ value: String, _ meaning: String) throws {
        try tool.insert("secret\n", as: "x")
        for program in ["pass", "passchain"] {
            #expect(
                try tool.run("show", "x", as: program, with: [name: value])
                    == .init(
                        output: "secret\n",
                        errors: "Warning: \(name) \"\(value)\" \(meaning)\n",
                        status: 0
                    )
            )
        }
    }

    @Test func readingACodeFinishesNothing() throws {
        let key = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ"
        try tool.insert(key + "\n", as: "x")
        let draft = "store/.git/passchain-pending.new"
        try tool.write("", to: draft)
        for words in [["otp", "x"], ["otp", "uri", "x"], ["otp", "validate", key]] {
            #expect(try tool.run(words).status == 0)
            #expect(FileManager.default.fileExists(atPath: "\(tool.folder)/\(draft)"), "\(words)")
        }
        #expect(try tool.run("otp", "append", "-f", "x", input: key + "\n").status == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder)/\(draft)"))
    }
}

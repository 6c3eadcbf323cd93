import Foundation
import TestSupport
import Testing

@testable import PasswordStore

/// Which gpg a store uses, and with which home: those that its settings mean, whatever this process has.
@Suite struct GnuPGTests {
    let fixture = StoreFixture()
    let folder = TestFolder()

    /// What gpg was started for, apart from its version; forgotten once it was asked for.
    private func runs() throws -> [String] {
        let file = "\(folder.path)/runs"
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Puts a gpg that notes its words in front of the other folders of the settings' `PATH`.
    private func noteRuns() throws {
        let script = """
            #!/bin/sh
            case "$*" in *--version*) ;; *) echo "$*" >> \(folder.path)/runs ;; esac
            exec /usr/bin/gpg "$@"

            """
        try writeFile(Data(script.utf8), to: URL(filePath: "\(folder.path)/gpg"), mode: 0o700)
        fixture.variables["PATH"] = "\(folder.path):\(TestPrograms.folder)"
    }

    @Test func theGPGOfTheSettingsDoesAllOfTheWork() throws {
        try noteRuns()
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        #expect(try runs().contains { $0.contains("--encrypt") })
        #expect(try fixture.read("x") == "secret\n")
        let runs = try runs()
        #expect(runs.count == 1 && runs[0].contains("--pinentry-mode error"), "\(runs)")
    }

    @Test func anOptionNamesAnotherHomeThanTheVariable() throws {
        fixture.variables["GNUPGHOME"] = "/nowhere"
        fixture.variables["PASSWORD_STORE_GPG_OPTS"] = "--homedir \(Keys.ring.home)"
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        #expect(try fixture.read("x") == "secret\n")
    }

    @Test func optionsAndTheHomeOfTheSettingsGoTogether() throws {
        fixture.variables["PASSWORD_STORE_GPG_OPTS"] = "--no-greeting"
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        #expect(try fixture.read("x") == "secret\n")
    }
}

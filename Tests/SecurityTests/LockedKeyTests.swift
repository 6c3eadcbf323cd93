import Foundation
import Glibc
import TestSupport
import Testing

@testable import Security

/// What a key that needs a passphrase, is missing, or does not fit makes of a query.
///
/// Each test has a keyring of its own: which passphrases the agent knows is part of it.
@Suite(.serialized) struct LockedKeyTests {
    private func locked(quiet: Bool = false) throws -> (TestKeychain, TestKeyring) {
        let keyring = try TestKeyring()
        if quiet { try keyring.write("no-random-seed-file\nquiet\n", to: "gpg.conf") }
        try keyring.makeKey("keychain test", passphrase: "sesame")
        try keyring.write("allow-loopback-pinentry\npinentry-program /bin/false\n", to: "gpg-agent.conf")
        let store = try TestKeychain(keyring: keyring)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        try lock(keyring)
        return (store, keyring)
    }

    private func lock(_ keyring: TestKeyring) throws {
        _ = try keyring.run("gpgconf", ["--homedir", keyring.home, "--kill", "gpg-agent"])
    }

    private func unlock(_ keyring: TestKeyring, _ store: TestKeychain) throws {
        try keyring.gpg([
            "--pinentry-mode", "loopback", "--passphrase", "sesame", "-d", "\(store.folder)/s/a.gpg",
        ])
    }

    /// A program that answers as pinentry does, with `line` for every question.
    private func pinentry(_ line: String, in keyring: TestKeyring) throws -> String {
        let path = keyring.home + "/pinentry"
        let script = """
            #!/bin/sh
            echo OK ready
            while read -r command rest; do
                case "$command" in
                GETPIN) \(line) ;;
                BYE) echo OK; exit 0 ;;
                *) echo OK ;;
                esac
            done

            """
        try writeFile(Data(script.utf8), to: URL(fileURLWithPath: path), mode: 0o700)
        return path
    }

    @Test(
        "without a way to ask, whatever needs the key is not allowed",
        arguments: [false, true]
    )
    func aLockedKeyIsInteractionNotAllowed(quiet: Bool) throws {
        let (store, keyring) = try locked(quiet: quiet)
        let read = item("a", "s", ["r_Data": true])
        #expect(store.copy(read).status == errSecInteractionNotAllowed)
        #expect(store.copy(item("a", "s", ["r_Attributes": true])).status == errSecInteractionNotAllowed)
        #expect(
            store.copy(genp(["r_Attributes": true]).merging(noLimit) { $1 }).status
                == errSecInteractionNotAllowed
        )
        #expect(store.update(item(), ["labl": "x"]) == errSecInteractionNotAllowed)
        #expect(store.delete(genp()) == errSecInteractionNotAllowed)
        // Names alone need no key, and encrypting does not.
        #expect(store.copy(item()).status == errSecSuccess)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecDuplicateItem)
        #expect(store.add(item("b", "s", oneSecret)).status == errSecSuccess)
        #expect(store.copy(item("c", "s", ["r_Data": true])).status == errSecItemNotFound)
        try unlock(keyring, store)
        #expect(store.copy(read).text == "x")
    }

    /// Debian's pinentry, which has no terminal to ask at: the answer comes at once, and nothing waits for it.
    @Test(.enabled(if: TestKeychain.hasPinentry, "there is no pinentry-curses"))
    func aRealPinentryWithoutTerminalIsInteractionNotAllowed() async {
        await #expect(processExitsWith: .success) {
            // gpg tells pinentry of the terminal that it has itself.
            unsetenv("GPG_TTY")
            dup2(open("/dev/null", O_RDONLY), 0)
            let (store, keyring) = try LockedKeyTests().locked()
            try keyring.write("pinentry-program \(TestKeychain.pinentry)\n", to: "gpg-agent.conf")
            try LockedKeyTests().lock(keyring)
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                #expect(store.copy(item("a", "s", ["r_Data": true])).status == errSecInteractionNotAllowed)
                #expect(store.update(item(), ["labl": "x"]) == errSecInteractionNotAllowed)
                #expect(store.add(item("b", "s", oneSecret)).status == errSecSuccess)
                isOver.signal()
            }
            // Only what would hang for ever takes as long.
            #expect(isOver.wait(timeout: .now() + 60) == .success, "a call waits for a pinentry")
            try LockedKeyTests().unlock(keyring, store)
            #expect(store.copy(item("a", "s", ["r_Data": true])).text == "x")
        }
    }

    /// What README.md says for a server, word for word.
    @Test(.enabled(if: TestKeychain.hasPreset, "there is no gpg-preset-passphrase"))
    func anAgentThatWasToldThePassphraseNeedsNobody() throws {
        let (store, keyring) = try locked()
        try keyring.write("allow-preset-passphrase\nmax-cache-ttl 34560000\n", to: "gpg-agent.conf")
        try lock(keyring)
        let listing = try keyring.gpg(["--list-secret-keys", "--with-keygrip", "--with-colons"]).text
        let keygrips = listing.split(separator: "\n").filter { $0.hasPrefix("grp:") }
            .map { $0.split(separator: ":", omittingEmptySubsequences: false)[9] }
        _ = try keyring.run("gpgconf", ["--homedir", keyring.home, "--launch", "gpg-agent"])
        for keygrip in keygrips {
            let words = ["GNUPGHOME=\(keyring.home)", TestKeychain.preset, "--preset", String(keygrip)]
            #expect(try keyring.run("env", words, input: Array("sesame".utf8)).status == 0)
        }
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "x")
        #expect(store.update(item(), ["v_Data": secret("y")]) == errSecSuccess)
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "y")
    }

    @Test func refusingToAskIsAnsweredAtOnceAndSkippingLeavesOut() throws {
        let (store, keyring) = try locked()
        let program = try pinentry("echo 'D sesame'; echo OK", in: keyring)
        try keyring.write("pinentry-program \(program)\n", to: "gpg-agent.conf")
        try lock(keyring)
        let read = item("a", "s", ["r_Data": true])
        for refusal in [["u_AuthUI": "u_AuthUIF"], ["u_NoAuthUI": true]] as [[String: Any]] {
            #expect(store.copy(read.merging(refusal) { $1 }).status == errSecInteractionNotAllowed)
        }
        let skipping = read.merging(["u_AuthUI": "u_AuthUIS"]) { $1 }
        #expect(store.copy(skipping).status == errSecItemNotFound)
        #expect(store.copy(read).text == "x")
        // Now the agent knows the passphrase, and nobody is asked.
        #expect(store.copy(skipping).text == "x")
        #expect(store.copy(read.merging(["u_AuthUI": "u_AuthUIF"]) { $1 }).text == "x")
    }

    /// With `quiet` in gpg.conf, GnuPG 2.2 does not say why a key could not be used: then it may as well have been a
    /// wrong passphrase.
    @Test(arguments: [(false, errSecUserCanceled), (true, errSecAuthFailed)])
    func cancellingIsTheUsersAnswer(quiet: Bool, status: OSStatus) throws {
        let (store, keyring) = try locked(quiet: quiet)
        let program = try pinentry("echo 'ERR 83886179 Operation cancelled <Pinentry>'", in: keyring)
        try keyring.write("pinentry-program \(program)\n", to: "gpg-agent.conf")
        try lock(keyring)
        #expect(store.copy(item("a", "s", ["r_Data": true])).status == status)
    }

    @Test func aWrongPassphraseIsAFailedAuthentication() throws {
        let (store, keyring) = try locked()
        let program = try pinentry("echo 'D wrong'; echo OK", in: keyring)
        try keyring.write("pinentry-program \(program)\n", to: "gpg-agent.conf")
        try lock(keyring)
        #expect(store.copy(item("a", "s", ["r_Data": true])).status == errSecAuthFailed)
    }

    @Test func anEntryForSomebodyElseIsAFailedAuthenticationWhereItIsNamed() throws {
        let stranger = try TestKeyring()
        let key = try stranger.makeKey("stranger")
        let store = try TestKeychain()
        try store.insert(bytes: try stranger.encrypted("secret\n", to: [key]), at: "s/b")
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.copy(item("b", "s", ["r_Data": true])).status == errSecAuthFailed)
        #expect(store.update(item("b", "s"), ["labl": "x"]) == errSecAuthFailed)
        let everything = genp(["svce": "s", "r_Attributes": true]).merging(noLimit) { $1 }
        #expect(store.copy(everything).dictionaries?.count == 1)
        #expect(store.add(item("b", "s", oneSecret)).status == errSecDuplicateItem)
        #expect(store.entries == ["s/a.gpg", "s/b.gpg"])
    }
}

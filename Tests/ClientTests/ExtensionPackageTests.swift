import Foundation
import TestSupport
import Testing
import Unix

/// Extensions as Debian packages them, from the system's folder and from the user's own.
@Suite struct ExtensionPackageTests {
    /// Where the tool finds the extensions.
    enum Place: CaseIterable {
        /// In the folder of the system, which shows Debian's for the time of the call.
        case system
        /// In a folder of the user.
        case user

        /// Where tests can have them; only who may mount can do so in the system's folder.
        static let all = allCases.filter { $0 == .user || canMount }

        private static let canMount = mounting(["true"]).map { (try? $0.run())?.status == 0 } ?? false

        private static func mounting(_ words: [String]) -> Subprocess? {
            let environment = Environment(["PATH": TestPrograms.folder])
            guard let unshare = environment.findProgram(Array("unshare".utf8)) else { return nil }
            let words = mountingWords(words).map { Array($0.utf8) }
            return Subprocess(unshare, words, environment: environment)
        }

        fileprivate static func mountingWords(_ words: [String]) -> [String] {
            let mount = #"mount --bind "$1" /usr/lib/password-store/extensions && shift && exec "$@""#
            return ["--map-root-user", "--mount", "sh", "-c", mount, "sh", packaged] + words
        }
    }

    private static let packaged = Client.debian + "/usr/lib/password-store/extensions"
    private static let hasTail = Client.has(packaged + "/tail.bash")

    private func pass(
        _ client: Client,
        _ place: Place,
        _ words: String...,
        with variables: [String: String] = [:]
    ) throws -> Client.Outcome {
        switch place {
        case .system:
            return try client.outcome("unshare", Place.mountingWords(["pass"] + words), with: variables)
        case .user:
            let own = [
                "PASSWORD_STORE_ENABLE_EXTENSIONS": "true", "PASSWORD_STORE_EXTENSIONS_DIR": Self.packaged,
            ]
            return try client.outcome("pass", words, with: variables.merging(own) { $1 })
        }
    }

    @Test(.enabled(if: hasTail, "Debian's pass-extension-tail is not there"), arguments: Place.all)
    func tailShowsAllButThePassword(_ place: Place) throws {
        let client = try Client(["a b": "secret\nlogin: alice\nnote\n"])
        let tail = try pass(client, place, "tail", "a b")
        #expect(tail.text == "login: alice\nnote\n", "\(tail)")
        let outcome = try pass(client, place, "tail", "none")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Error: none is not in the password store.\n")
    }

    @Test(.enabled(if: hasTail, "Debian's pass-extension-tail is not there"), arguments: Place.all)
    func taileditKeepsThePassword(_ place: Place) throws {
        let client = try Client(["a": "secret\nlogin: alice\n"])
        let editor = try client.write("#!/bin/sh\nsed -i s/alice/bob/ \"$1\"\n", to: "bin/edit", mode: 0o755)
        let outcome = try pass(client, place, "tailedit", "a", with: ["EDITOR": editor])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try client.pass("show", "a") == "secret\nlogin: bob\n")
    }

    @Test(
        .enabled(
            if: Client.has(packaged + "/audit.bash")
                && Client.has(Client.debian + "/usr/lib/python3/dist-packages/zxcvbn"),
            "Debian's pass-extension-audit or python3-zxcvbn is not there"
        ),
        arguments: Place.all
    )
    func auditFindsWeakDoubledAndKnownPasswords(_ place: Place) throws {
        let strong = "kF9#vLq2!xTz7@mWb4"
        let client = try Client(["weak": "password1\n", "one": strong + "\n", "two/three": strong + "\n"])
        // The service that knows leaked passwords is not asked: `password1` is the one it knows here.
        try client.write(
            """
            class Answer:
                text = "14ABDB2C3E5D3D4D2D1B5B5C5D5E5F50000:1\\r\\n" + \\
                    __import__("hashlib").sha1(b"password1").hexdigest().upper()[5:] + ":42"
                def raise_for_status(self): pass
            def get(*_, **__): return Answer()

            """,
            to: "python/requests.py"
        )
        let modules = client.folder + "/python:" + Client.pythonModules
        let outcome = try pass(client, place, "audit", with: ["PYTHONPATH": modules])
        let all = outcome.text + outcome.errors
        #expect(all.contains("password1 from weak has been breached 42 time(s)"), "\(outcome)")
        #expect(all.contains("Weak password detected: password1 from weak"))
        #expect(
            all.contains(
                "3 passwords tested and 1 breached, 1 weak passwords found, 1 duplicated passwords found."
            )
        )
    }
}

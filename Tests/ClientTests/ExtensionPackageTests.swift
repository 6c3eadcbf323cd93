// Part of passchain. See LICENSE.

import Foundation
import Testing

private let extensions = "/usr/lib/password-store/extensions"

/// Extensions as Debian packages them, in the system's folder.
@Suite struct ExtensionPackageTests {
    @Test(.enabled(if: Client.has("\(extensions)/tail.bash"), "Debian package pass-extension-tail"))
    func tailShowsAllButThePassword() throws {
        let client = try Client(["a b": "secret\nlogin: alice\nnote\n"])
        #expect(try client.pass("tail", "a b") == "login: alice\nnote\n")
        let outcome = try client.outcome("pass", ["tail", "none"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Error: none is not in the password store.\n")
    }

    @Test(.enabled(if: Client.has("\(extensions)/tailedit.bash"), "Debian package pass-extension-tail"))
    func taileditKeepsThePassword() throws {
        let client = try Client(["a": "secret\nlogin: alice\n"])
        let editor = try client.write("#!/bin/sh\nsed -i s/alice/bob/ \"$1\"\n", to: "bin/edit", mode: 0o755)
        try client.run("pass", ["tailedit", "a"], with: ["EDITOR": editor])
        #expect(try client.pass("show", "a") == "secret\nlogin: bob\n")
    }

    @Test(.enabled(if: Client.has("\(extensions)/audit.bash"), "Debian package pass-extension-audit"))
    func auditFindsWeakDoubledAndKnownPasswords() throws {
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
        let variables = ["PYTHONPATH": client.folder + "/python"]
        let outcome = try client.outcome("pass", ["audit"], with: variables)
        let all = outcome.text + outcome.errors
        #expect(all.contains("password1 from weak has been breached 42 time(s)"))
        #expect(all.contains("Weak password detected: password1 from weak"))
        #expect(
            all.contains(
                "3 passwords tested and 1 breached, 1 weak passwords found, 1 duplicated passwords found."
            )
        )
    }

    @Test(
        .enabled(
            if: Client.has("expect") && Client.has("oathtool")
                && Client.has(Client.upstream.deletingLastPathComponent().path + "/pass-otp/test"),
            "Debian packages expect and oathtool; run Tests/Upstream/fetch-upstream.sh"
        )
    )
    func passOTPPassesItsOwnSuite() throws {
        let script = Client.top.appending(path: "Tests/Upstream/run-pass-otp.sh").path
        let client = try Client()
        let outcome = try client.outcome("bash", [script, client.folder + "/bin/pass"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.text.hasSuffix("29 passed, 0 failed\n"))
    }
}

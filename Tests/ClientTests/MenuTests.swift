import Foundation
import Testing

/// pass's own `passmenu`, with a menu that takes the entry it is told to and a clipboard in a file.
@Suite(
    .enabled(
        if: Client.has(Client.upstream.path + "/contrib/dmenu/passmenu"),
        "the sources of pass are not there"
    )
)
struct MenuTests {
    private func passmenu(_ client: Client, _ words: String..., choosing name: String) throws {
        try client.write(
            "#!/bin/sh\ncat > \"$HOME/offered\"\ngrep -Fx -- '\(name)' \"$HOME/offered\"\n",
            to: "bin/dmenu",
            mode: 0o755
        )
        try client.write("#!/bin/sh\ncat > \"$HOME/typed\"\n", to: "bin/xdotool", mode: 0o755)
        try client.write(
            "#!/bin/sh\ncase \"$*\" in *-o*) ;; *) cat >> \"$HOME/copied\" ;; esac\n",
            to: "bin/xclip",
            mode: 0o755
        )
        let script = Client.upstream.appending(path: "contrib/dmenu/passmenu").path
        // The display's name is nobody else's: it is also that of the process which clears the clipboard.
        let variables = ["DISPLAY": ":\(client.folder)", "PASSWORD_STORE_CLIP_TIME": "0"]
        try client.run("bash", [script] + words, with: variables)
    }

    @Test func copiesWhatIsChosen() throws {
        let client = try Client(["a b/c": "secret\nlogin: alice\n", "z": "other\n"])
        try passmenu(client, choosing: "a b/c")
        #expect(try client.text(of: "copied").hasPrefix("secret"))
        #expect(try client.text(of: "offered") == client.pass("ls", "--flat"))
    }

    @Test func typesWhatIsChosen() throws {
        let client = try Client(["a b/c": "secret\nlogin: alice\n", "z": "other\n"])
        try passmenu(client, "--type", choosing: "a b/c")
        #expect(try client.text(of: "typed") == "secret")
    }
}

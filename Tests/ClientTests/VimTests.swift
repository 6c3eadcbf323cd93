import Foundation
import Testing

/// A real vim with pass's own plugin, which knows by the file's path that a password is edited.
@Suite(
    .enabled(
        if: Client.has("vim") && Client.has(Client.upstream.path + "/contrib/vim/redact_pass.vim"),
        "vim or the sources of pass are not there"
    )
)
struct VimTests {
    @Test func redactPassKnowsThePath() throws {
        let client = try Client(["Email/home": "old\nlogin: alice\n"])
        let plugin = Client.upstream.appending(path: "contrib/vim/redact_pass.vim").path
        let settings = try client.write(
            """
            set nocompatible
            source \(plugin)
            autocmd VimEnter * 1substitute/old/new/
            autocmd VimEnter * redir! > $HOME/seen
            autocmd VimEnter * silent echo get(g:, 'redact_pass_redacted') &swapfile &viminfo expand('%:p')
            autocmd VimEnter * redir END
            autocmd VimEnter * wq

            """,
            to: "vimrc"
        )
        let editor = "vim -u \(settings) --not-a-term -T dumb"
        try client.run("pass", ["edit", "Email/home"], with: ["EDITOR": editor, "TMPDIR": "/tmp"])
        #expect(try client.pass("show", "Email/home") == "new\nlogin: alice\n")
        #expect(try client.text(of: "seen").contains(#/1 0  /dev/shm/pass\..+/.+-Email-home\.txt/#))
    }
}

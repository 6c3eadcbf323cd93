import Testing

@testable import CommandGrammar
@testable import passchain_docs

/// What zsh lists: names without the folder that they are in.
@Suite(.enabled(if: Program.zsh.isInstalled, "needs zsh")) struct ZshLabelTests {
    /// The names that the tool answers, and the words and labels that zsh is given for them.
    @Test(arguments: [
        ("d/", ["d/a", "d/b", "d/s/"], ["d/a=a", "d/b=b", "d/s/=s/"]),
        ("d/", ["d/s/", "d/z"], ["d/z=z", "d/s/=s/"]),
        ("d/", ["d/only/"], ["d/only/=only/"]),
        ("", ["a", "b c", "s/"], ["a=a", "b c=b c", "s/=s/"]),
        ("a:b/[x] /", ["a:b/[x] /1", "a:b/[x] /a:b/"], ["a:b/[x] /1=1", "a:b/[x] /a:b/=a:b/"]),
        ("d/", [], []),
    ])
    func eachNameHasItsLabel(_ folder: String, _ names: [String], _ expected: [String]) throws {
        let file = try TemporaryFolder()
        let script = try file.write(Word(Sample.scripts.zsh.utf8), to: "_passchain")
        // In place of what zsh has only while it completes.
        let stand = #"""
            typeset -A compstate; compdef() { }; . "$1"; PREFIX=${(q)2}
            answer() { printf '%s\0' "${names[@]}" }; ask=answer names=("${@:3}")
            (( $#names )) || answer() { }
            compadd() {
                local labels=${@[(r)-d,-1][2]} words=$@[-1] index
                for index in {1..${#${(P)words}}}; do printf '%s=%s\0' "${${(P)words}[index]}" "${${(P)labels}[index]}"; done
            }
            __passchain_names entries
            """#
        let result = try Program.zsh.run(["-f", "-c", stand, "zsh", script, folder] + names)
        #expect(
            result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } == expected,
            "\(result.text)"
        )
    }
}

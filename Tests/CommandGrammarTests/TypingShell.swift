// swift-format-ignore-file: NeverForceUnwrap
import CommandGrammar
import TestSupport

@testable import passchain_docs

/// An interactive shell on a terminal of its own, a completion script, and a stand-in for the tool.
///
/// The stand-in answers `complete` from lists, and writes down the words of every other call. So a test types a line
/// with tabs in it, presses return, and sees what words the shell has made of it.
final class TypingShell {
    enum Kind: String, CaseIterable { case bash, zsh, fish }

    /// What the stand-in knows.
    struct Store {
        var entries: [Word] = []
        var folders: [Word] = []
        var keys: [Word] = []
    }

    static func canType(_ kind: Kind) -> Bool {
        Program.expect.isInstalled && Program(path: path(of: kind)).isInstalled
    }

    private static func path(of kind: Kind) -> String {
        kind == .bash ? "/bin/bash" : "/usr/bin/\(kind.rawValue)"
    }

    let kind: Kind
    let folder: TemporaryFolder

    /// Installs the stand-in and the script under each of `names`.
    init(_ kind: Kind, _ store: Store, names: [String] = ["passchain"], setup: String = "") throws {
        self.kind = kind
        folder = try TemporaryFolder()
        for (name, list) in [
            "entries": store.entries, "folders": store.folders, "keys": store.keys,
            "entries-and-folders": store.entries + store.folders,
            "git": ["log", "push", "pull"].map { Word($0.utf8) },
        ] {
            let sorted = list.sorted { $0.lexicographicallyPrecedes($1) }
            _ = try folder.write(Word(sorted.map { $0 + [0] }.joined()), to: "lists/\(name)")
        }
        for name in names {
            _ = try folder.write(Word(Self.standIn.utf8), to: "bin/\(name)", executable: true)
        }
        _ = try folder.write(Word(Self.typist.utf8), to: "typist")
        _ = try folder.write([], to: "work/a folder/file")
        try install(names, setup)
    }

    private func install(_ names: [String], _ setup: String) throws {
        let scripts = Sample.scripts
        switch kind {
        case .bash:
            let files = try names.map { try folder.write(Word(scripts.bash.utf8), to: "completions/\($0)") }
            let start = files.map { ". \($0)\n" }.joined() + Self.bashStart + setup
            _ = try folder.write(Word(start.utf8), to: ".bashrc")
        case .zsh:
            _ = try folder.write(Word(scripts.zsh.utf8), to: "completions/_passchain")
            if names.contains("pass") {
                _ = try folder.write(Word(scripts.zshDropIn.utf8), to: "completions/_pass")
            }
            _ = try folder.write(Word((Self.zshStart + setup).utf8), to: ".zshrc")
        case .fish:
            for name in names {
                _ = try folder.write(Word(scripts.fish.utf8), to: ".config/fish/completions/\(name).fish")
            }
            _ = try folder.write(Word((Self.fishStart + setup).utf8), to: ".config/fish/config.fish")
        }
    }

    /// Types lines, each with a return behind it, and says with which words the stand-in was called.
    func type(_ lines: [Word]) throws -> [[Word]] {
        let file = try folder.write(Word(lines.joined(separator: [0x0A])), to: "lines")
        let arguments: [String] =
            switch kind {
            case .bash: ["--noprofile", "-i"]
            case .zsh: ["-d", "-i"]
            case .fish: ["-i"]
            }
        let home = folder.path
        let result = try Program.expect.run(
            [home + "/typist", file, Self.path(of: kind)] + arguments,
            environment: [
                "HOME": home, "ZDOTDIR": home, "PATH": "\(home)/bin:\(TestPrograms.folder)", "TERM": "xterm",
                "LANG": "C.UTF-8",
            ]
        )
        guard result.status == 0 else { throw Stuck(screen: result.text) }
        let log = try folder.take("calls")
        var fields = log.split(separator: 0, omittingEmptySubsequences: false).map { Word($0) }[...]
        var calls: [[Word]] = []
        while fields.count > 1 {
            let count = Int(String(decoding: fields.removeFirst(), as: UTF8.self))!
            calls.append(Array(fields.prefix(count)))
            fields.removeFirst(count)
        }
        return calls
    }

    /// The shell asked for more, or ended.
    struct Stuck: Error { let screen: String }

    private static let standIn = #"""
        #!/bin/bash
        export LC_ALL=C
        if [[ $1 != complete ]]; then
            printf '%s\0' $# "$@" >> "$HOME/calls"
            exit
        fi
        [[ $2 == -[ez] ]] || set -- "$1" -n "${@:2}"
        [[ $# == 5 && $3 == -- ]] || exit 1
        while IFS= read -r -d '' name; do
            [[ $name == "$5"* ]] || continue
            rest=${name#"$5"}
            [[ $4 != keys && $rest == */* ]] && name=$5${rest%%/*}/
            [[ $name != "${last-}" && ($rest || $name != */) ]] || continue
            last=$name
            if [[ $2 == -z ]]; then
                printf '%s\0' "$name"
            elif [[ $2 == -n ]]; then
                [[ $name == *[$'\n\t']* ]] || printf '%s\n' "$name"
            else
                name=${name//\\/\\\\}
                printf '%s\n' "${name//$'\n'/\\n}"
            fi
        done < "${PASSWORD_STORE_DIR:-$HOME/lists}/$4"
        """#

    /// Waits for a prompt, types a line, and so on.
    ///
    /// Shells read keys in their own way from before the prompt on, so nothing is typed too early. How long it takes to
    /// come depends on what else the machine does: only a shell that hangs takes minutes.
    private static let typist = #"""
        log_user 1
        match_max 100000
        set file [open [lindex $argv 0] rb]
        set lines [split [read $file] "\n"]
        set stty_init {rows 50 columns 250}
        spawn -noecho {*}[lrange $argv 1 end]
        fconfigure $spawn_id -encoding binary -translation binary
        set number 1
        set timeout 240
        proc prompt {} {
            global number
            expect "READY-$number> " { incr number } timeout { exit 1 } eof { exit 1 }
        }
        foreach line $lines {
            prompt
            send -- "$line\r"
        }
        prompt
        send -- "exit\r"
        expect eof { exit 0 } timeout { exit 1 }
        """#

    private static let bashStart = #"""
        number=0
        PROMPT_COMMAND='number=$((number + 1))'
        PS1='READY-$number> '
        PS2='more> '
        bind 'set enable-bracketed-paste off'
        bind 'set bell-style none'
        cd ~/work

        """#

    private static let zshStart = #"""
        fpath=(~/completions $fpath)
        autoload -Uz compinit
        compinit -u -D
        number=0
        precmd() { number=$((number + 1)) }
        setopt prompt_subst
        PS1='READY-$number> '
        PS2='more> '
        unsetopt prompt_cr prompt_sp
        cd ~/work

        """#

    private static let fishStart = #"""
        set -g number 0
        set -g fish_greeting
        function fish_prompt
            echo -n "READY-$number> "
        end
        function count_prompt --on-event fish_prompt
            set -g number (math $number + 1)
        end
        cd ~/work

        """#
}

import Foundation
import Glibc
import TestSupport
import Testing
import Unix

/// The clipboard with several commands, users and restorers; the programs of the desktop are small scripts here.
@Suite(.timeLimit(.minutes(10))) struct ClipboardTests {
    private let tool: ToolFixture
    private let display: String

    init() throws {
        tool = try ToolFixture()
        display = ":\(tool.folder.suffix(8))"
        for name in ["xclip", "wl-copy", "wl-paste"] {
            let script = ToolFixture.fixtures.appending(path: "bin/\(name)")
            try tool.write(String(contentsOf: script, encoding: .utf8), to: "bin/\(name)", mode: 0o755)
        }
        // Nobody may be ended by a name that others may have, too.
        try tool.write("#!/bin/sh\n: > \"$HOME/pkilled\"\n", to: "bin/pkill", mode: 0o755)
        for name in ["a", "b"] { try tool.insert("secret \(name)\n", as: name) }
        try put("original\n\n")
    }

    private func variables(_ others: [String: String] = [:]) -> [String: String] {
        ["DISPLAY": display, "PASSWORD_STORE_CLIP_TIME": "600"].merging(others) { $1 }
    }

    private func put(_ text: String, _ selection: String = "clipboard") throws {
        try tool.write(text, to: "selection.\(selection)")
    }

    private func holds(_ selection: String = "clipboard") throws -> String {
        try String(contentsOfFile: tool.folder + "/selection.\(selection)", encoding: .utf8)
    }

    private func copy(_ name: String, _ others: [String: String] = [:]) throws {
        let outcome = try tool.run("show", "-c", name, with: variables(others))
        guard outcome.status == 0, outcome.errors.isEmpty else { throw outcome }
    }

    /// The processes that wait to restore.
    private func restorers(_ part: String = "") throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter {
            process in
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first == "password store sleep on display \(display)"
                && words.joined(separator: " ").hasSuffix(part)
        }
    }

    /// Waits until something is so; the suite's time limit ends what never is.
    private func wait(until isSo: () throws -> Bool) rethrows { while try !isSo() { usleep(2000) } }

    private func endRestorers(by signal: Int32 = SIGTERM) throws {
        for process in try restorers() { kill(process, signal) }
        try wait { try restorers().isEmpty }
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func aSignalRestoresAtOnce(_ signal: Int32) throws {
        try copy("a")
        #expect(try holds() == "secret a")
        #expect(try restorers().count == 1)
        try endRestorers(by: signal)
        #expect(try holds() == "original\n\n")
        #expect(!FileManager.default.fileExists(atPath: tool.folder + "/pkilled"))
    }

    /// However they meet, the first content comes back in the end, and no secret.
    @Test func copiesAtTheSameTimeRestoreTheFirstContent() throws {
        for round in 0..<12 {
            let line = "pass -c a & pass -c b & pass otp validate x 2> /dev/null & pass -c a & wait"
            var environment = tool.environment
            for (name, value) in variables() { environment[name] = Array(value.utf8) }
            let words = ["-c", line].map { Array($0.utf8) }
            let outcome = try Subprocess("/bin/sh", words, environment: environment).run()
            #expect(String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").count == 3)
            #expect(outcome.errorOutput.isEmpty)
            #expect(try holds().hasPrefix("secret "))
            try wait { try restorers().count == 1 }
            try endRestorers(by: round % 2 == 0 ? SIGTERM : SIGHUP)
            #expect(try holds() == "original\n\n", "round \(round)")
        }
    }

    @Test func whatTheUserCopiedMeanwhileComesBack() throws {
        try copy("a")
        try put("mine")
        try copy("b")
        #expect(try holds() == "secret b")
        try wait { try restorers().count == 1 }
        try endRestorers()
        #expect(try holds() == "mine")
        try copy("a")
        try put("mine again")
        try endRestorers()
        #expect(try holds() == "mine again")
    }

    @Test func manyInARowRestoreTheFirstContent() throws {
        for name in ["a", "b", "a", "a", "b"] { try copy(name) }
        try wait { try restorers().count == 1 }
        try endRestorers()
        #expect(try holds() == "original\n\n")
        // Nothing of all that is known any more.
        try put("new")
        try copy("a")
        try endRestorers()
        #expect(try holds() == "new")
    }

    /// Its secret would come back for good.
    @Test func aSecretWhoseRestorerWasKilledDoesNotComeBack() throws {
        try copy("a")
        try endRestorers(by: SIGKILL)
        try copy("b")
        try endRestorers()
        #expect(try holds() == "")
    }

    @Test func eachSelectionAndDisplayHasItsOwn() throws {
        try put("other", "primary")
        try copy("a")
        try copy("b", ["PASSWORD_STORE_X_SELECTION": "primary"])
        #expect(try restorers().count == 2)
        let clipboard = try restorers("-clipboard")
        #expect(clipboard.count == 1)
        kill(clipboard[0], SIGHUP)
        try wait { try restorers().count == 1 }
        #expect(try holds() == "original\n\n")
        #expect(try holds("primary") == "secret b")
        // One of another display of the same name's beginning is not this one's.
        try copy("a", ["DISPLAY": display + "1", "PASSWORD_STORE_CLIP_TIME": "0"])
        #expect(try holds("primary") == "secret b")
        try endRestorers()
        #expect(try holds("primary") == "other")
    }

    /// xclip takes the beginnings of the names, and the screens of a display share its selections.
    @Test(arguments: [["PASSWORD_STORE_X_SELECTION": "c"], ["DISPLAY": ".0"]])
    func oneClipboardMayHaveSeveralNames(_ others: [String: String]) throws {
        try tool.write(
            "#!/bin/sh\ncase $* in -o*) exec cat \"$HOME/selection.clipboard\" ;; esac\n"
                + "exec cat > \"$HOME/selection.clipboard\"\n",
            to: "bin/xclip",
            mode: 0o755
        )
        try copy("a")
        var others = others
        if let screen = others["DISPLAY"] { others["DISPLAY"] = display + screen }
        try copy("b", others)
        let name = "password store sleep on display \(others["DISPLAY"] ?? display)"
        try wait { try restorers().count == (others["DISPLAY"] == nil ? 1 : 0) }
        _ = try runProgram("pkill", ["-TERM", "-f", "^\(name)"], environment: [:])
        try wait { try holds() == "original\n\n" }
    }

    /// pass has a shell of that name wait, whose parent restores when it ends.
    @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"]) func aRestorerOfPassRestoresFirst(_ variable: String)
        throws
    {
        let selection = variable == "DISPLAY" ? "selection.clipboard" : "clipboard"
        try tool.write("secret of pass", to: selection)
        let script = """
            ( ( exec -a 'password store sleep on display \(display)' bash <<< "trap 'kill %1' TERM; sleep 600 & wait" )
              printf original > \(tool.folder)/\(selection) ) > /dev/null 2>&1 & disown
            """
        var environment = tool.environment
        environment["PATH"] = Array(TestPrograms.folder.utf8)
        let shell = Subprocess("/bin/bash", ["-c", script].map { Array($0.utf8) }, environment: environment)
        #expect(try shell.run().status == 0)
        try wait { try restorers().count == 1 }
        // It traps the signal once its sleep has begun.
        let sleeper = try restorers()[0]
        try wait {
            try runProgram("pgrep", ["-P", "\(sleeper)", "sleep"], environment: [:]).status == 0
        }
        try copy("a", [variable: display])
        let now = try String(contentsOfFile: "\(tool.folder)/\(selection)", encoding: .utf8)
        #expect(now == "secret a")
        try wait { try restorers().count == 1 }
        try endRestorers()
        #expect(try String(contentsOfFile: "\(tool.folder)/\(selection)", encoding: .utf8) == "original")
    }

    @Test(.enabled(if: TestPrograms.have("pass"), "pass is missing"))
    func passAndThisToolTakeTurns() throws {
        try FileManager.default.removeItem(atPath: tool.folder + "/bin/pkill")
        for round in 0..<2 {
            try copy("a")
            let words = ["-c", "b"].map { Array($0.utf8) }
            var environment = tool.environment
            for (name, value) in variables() { environment[name] = Array(value.utf8) }
            let pass = try Subprocess("/usr/bin/pass", words, environment: environment).run()
            #expect(pass.status == 0)
            #expect(try holds() == "secret b")
            if round == 0 { try copy("a") }
            try wait { try restorers().count == 1 }
            try endRestorers()
            try wait { try holds() == "original\n\n" }
        }
    }

    @Test func withoutAPlaceForRecordsItSaysSoAndCopies() throws {
        let outcome = try tool.run("show", "-c", "a", with: variables(nowhere))
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.hasPrefix("Warning: Neither XDG_RUNTIME_DIR nor XDG_STATE_HOME ")
                && outcome.errors.split(separator: "\n").count == 1
        )
        #expect(try holds() == "secret a")
        try endRestorers()
        #expect(try holds() == "original\n\n")
    }

    /// A folder that others can write in is none for records, and neither is a link.
    @Test(arguments: ["mkdir -m 777", "ln -s /tmp"]) func recordsLieInAPrivateFolder(_ command: String) throws
    {
        let runtime = tool.folder + "/runtime"
        try makePrivate(runtime)
        let words = ["-c", "umask 0; \(command) \(runtime)/passchain"].map { Array($0.utf8) }
        #expect(try Subprocess("/bin/sh", words, environment: tool.environment).run().status == 0)
        try copy("a", ["XDG_RUNTIME_DIR": runtime])
        let found = try FileManager.default.subpathsOfDirectory(
            atPath: tool.folder + "/.local/state/passchain"
        )
        #expect(found.contains { $0.hasSuffix("/restorer") })
        try endRestorers()
    }

    @Test func recordsHoldNoSecretAndGoWithTheRestorer() throws {
        let runtime = tool.folder + "/runtime"
        try makePrivate(runtime)
        try copy("a", ["XDG_RUNTIME_DIR": runtime])
        let folder = runtime + "/passchain"
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(files.count == 2 && files.contains { $0.hasSuffix("-clipboard/restorer") }, "\(files)")
        try endRestorers()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).count == 1)
    }

    private func makePrivate(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    private var nowhere: [String: String] {
        ["XDG_STATE_HOME": "/dev/null/x", "XDG_RUNTIME_DIR": "/dev/null/y"]
    }

    /// A session of the desktop, a cron job and a shell of another login see different folders, or none.
    @Test func commandsWithDifferentFoldersFindOneAnother() throws {
        let runtime = ["XDG_RUNTIME_DIR": tool.folder + "/runtime"]
        try makePrivate(tool.folder + "/runtime")
        let state: [String: String] = [:]
        let pairs = [
            (runtime, state), (state, runtime), (nowhere, nowhere), (runtime, nowhere), (nowhere, state),
        ]
        for (first, second) in pairs {
            for (name, folders) in [("a", first), ("b", second), ("a", first)] {
                let outcome = try tool.run("show", "-c", name, with: variables(folders))
                #expect(outcome.status == 0)
                #expect(try holds() == "secret \(name)")
            }
            try wait { try restorers().count == 1 }
            try endRestorers(by: SIGHUP)
            #expect(try holds() == "original\n\n", "\(first) \(second)")
        }
    }

    /// A Wayland compositor serves an X display too, with the same content.
    @Test func aClipboardMayHaveTwoDisplays() throws {
        for (program, words) in [("wl-copy", ""), ("wl-paste", "-o ")] {
            try tool.write(
                "#!/bin/sh\nexec xclip \(words)-selection clipboard\n",
                to: "bin/\(program)",
                mode: 0o755
            )
        }
        let (both, one): ([String: String], [String: String]) = (["WAYLAND_DISPLAY": display], [:])
        for (first, second) in [(one, both), (both, one)] {
            try copy("a", first)
            try copy("b", second)
            try copy("a", second)
            try copy("b", first)
            try endRestorers()
            #expect(try holds() == "original\n\n")
        }
    }

    /// As when the session has ended, whose folder goes.
    @Test func theFolderOfRecordsMayGo() throws {
        let runtime = ["XDG_RUNTIME_DIR": tool.folder + "/runtime"]
        try makePrivate(tool.folder + "/runtime")
        try copy("a", runtime)
        try FileManager.default.removeItem(atPath: tool.folder + "/runtime/passchain")
        try endRestorers()
        #expect(try holds() == "original\n\n")
        // A copy finds no record, but the process: what is on the clipboard may be its secret.
        try copy("a", runtime)
        try FileManager.default.removeItem(atPath: tool.folder + "/runtime/passchain")
        try copy("b", runtime)
        try endRestorers()
        #expect(try holds() == "")
    }

    /// Killed as soon as the secret is on the clipboard, a command has already seen to its end.
    @Test func aCommandThatIsKilledLeavesNoSecret() throws {
        let script = try String(contentsOfFile: tool.folder + "/bin/xclip", encoding: .utf8)
        try tool.write(script, to: "bin/xclip-itself", mode: 0o755)
        try tool.write(
            """
            #!/bin/sh
            xclip-itself "$@" || exit
            case $* in *-o*) ;; *) [ ! -e "$HOME/deadly" ] || { rm "$HOME/deadly"; kill -KILL $PPID; } ;; esac

            """,
            to: "bin/xclip",
            mode: 0o755
        )
        for earlier in [false, true] {
            if earlier { try copy("a") }
            try tool.write("", to: "deadly")
            #expect(try tool.run("show", "-c", "b", with: variables()).status != 0)
            #expect(try holds() == "secret b")
            try endRestorers()
            #expect(try holds() == "original\n\n")
            // Nothing stays that would trouble the next one.
            try put("original\n\n")
        }
    }

    /// The hint by which KDE's history knows a password, where wl-copy has an option for it.
    @Test(arguments: [true, false]) func givesTheHintThatTheProgramKnows(isNew: Bool) throws {
        let help = isNew ? "# options: --primary --sensitive" : "# options: --primary"
        try tool.write(
            "#!/bin/sh\n\(help)\necho \"$*\" >> \"$HOME/words\"\nexec cat > \"$HOME/clipboard\"\n",
            to: "bin/wl-copy",
            mode: 0o755
        )
        try tool.write("mine", to: "clipboard")
        try copy("a", ["WAYLAND_DISPLAY": display])
        try endRestorers()
        let words = try String(contentsOfFile: tool.folder + "/words", encoding: .utf8)
        // What comes back is no secret of ours.
        #expect(words == (isNew ? "--sensitive\n\n" : "\n\n"))
    }
}

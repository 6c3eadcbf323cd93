import Foundation
import TestSupport
import Testing
import Unix

/// The clipboard with a real X server, and the programs that Debian has.
@Suite(.timeLimit(.minutes(10))) struct RealClipboardTests {
    private static let programs = ["xclip", "xsel"].filter { isInstalled($0) && isInstalled("Xvfb") }

    private static func isInstalled(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
    }

    @Test(.enabled(if: !programs.isEmpty, "xvfb and xclip or xsel are missing"), arguments: programs)
    func copiesAtTheSameTimeRestoreTheFirstContent(_ program: String) throws {
        let tool = try ToolFixture()
        for name in ["a", "b"] { try tool.insert("secret \(name)\n", as: name) }
        for name in ["Xvfb", program] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tool.folder)/bin/\(name)",
                withDestinationPath: "/usr/bin/\(name)"
            )
        }
        let script = """
            cd \(tool.folder)
            exec 3> display
            Xvfb -displayfd 3 -screen 0 64x64x8 > /dev/null 2>&1 & server=$!
            trap 'kill $server' EXIT
            until [ -s display ]; do sleep 0.01; done
            export DISPLAY=:$(cat display) PASSWORD_STORE_CLIP_TIME=600
            content() { \(program == "xclip" ? "xclip -o -selection clipboard" : "xsel -b -o"); }
            waiting() { pgrep -cf "^password store sleep on display $DISPLAY"; }
            for round in 1 2 3 4 5; do
                printf 'original\\n\\n' | \(program == "xclip" ? "xclip -selection clipboard" : "xsel -b -i")
                pass -c a & pass -c b & wait %2 %3
                case $(content) in secret\\ [ab]) ;; *) echo "holds $(content)" ;; esac
                until [ "$(waiting)" = 1 ]; do sleep 0.01; done
                pkill -HUP -f "^password store sleep on display $DISPLAY"
                until [ "$(waiting)" = 0 ]; do sleep 0.01; done
                echo "$(content; echo .)"
            done
            """
        let words = ["120", "bash", "-c", script].map { Array($0.utf8) }
        let outcome = try Subprocess("/usr/bin/timeout", words, environment: tool.environment).run()
        let output = String(decoding: outcome.output, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let lines = output.filter { !$0.hasPrefix("Copied ") }
        #expect(
            lines.joined(separator: "\n") == String(repeating: "original\n\n.\n", count: 5),
            "\(String(decoding: outcome.errorOutput, as: UTF8.self))"
        )
    }
}

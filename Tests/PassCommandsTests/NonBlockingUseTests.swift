import Foundation
import Testing
import Unix

/// The tool where another program has made its standard descriptors non-blocking.
@Suite struct NonBlockingUseTests {
    private let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    /// Runs a line of shell in which `nonblocking 0 1 COMMAND` runs a command with these descriptors so.
    private func shell(_ line: String) throws -> Subprocess.Outcome {
        try tool.write(
            """
            #!/usr/bin/perl -w
            use Fcntl;
            while (@ARGV and $ARGV[0] =~ /^[0-9]$/) {
                open(my $file, '+<&=', shift @ARGV) or die;
                fcntl($file, F_SETFL, fcntl($file, F_GETFL, 0) | O_NONBLOCK) or die;
            }
            exec @ARGV;

            """,
            to: "bin/nonblocking",
            mode: 0o755
        )
        let words = ["-c", "set -o pipefail; cd \(tool.folder); " + line].map { Array($0.utf8) }
        return try Subprocess("/bin/bash", words, environment: tool.environment).run()
    }

    /// What writes the input does so only once the tool waits for it.
    private static let untilAsked = "until grep -q 'press Ctrl+D' out; do :; done"

    @Test func readsAnInputThatDoesNotBlock() throws {
        let outcome = try shell(
            "{ \(Self.untilAsked); seq 100000; } | nonblocking 0 pass insert -m big > out && seq 100000 | cmp - <(pass show big)"
        )
        #expect(outcome.status == 0, "\(String(decoding: outcome.errorOutput, as: UTF8.self))")
    }

    @Test(arguments: ["insert -e", "insert"])
    func readsALineOfAnInputThatDoesNotBlock(_ words: String) throws {
        let outcome = try shell(
            "mkfifo fifo; { cat fifo; printf 'secret\\nsecret\\n'; } | { nonblocking 0 sh -c ': > fifo; exec pass \(words) x'; }"
        )
        #expect(outcome.status == 0, "\(String(decoding: outcome.errorOutput, as: UTF8.self))")
        #expect(try tool.contents(of: "x") == "secret\n")
    }

    @Test(arguments: ["show big", "show --json big", "ls --flat"])
    func writesToAnOutputThatDoesNotBlock(_ words: String) throws {
        let outcome = try shell(
            """
            seq 100000 | pass insert -m big > /dev/null
            for i in $(seq 400); do mkdir -p store/$(printf %0200d $i); : > store/$(printf %0200d $i)/x.gpg; done
            nonblocking 1 2 pass \(words) | { read -r -n 1 first; printf %s "$first"; cat; } > got && pass \(words) | cmp - got
            """
        )
        #expect(outcome.status == 0, "\(String(decoding: outcome.errorOutput, as: UTF8.self))")
    }
}

import Foundation
import TestSupport
import Testing

/// What other programs can see of a key.
@Suite struct OTPSecrecyTests {
    private let pass: ToolFixture

    init() throws { pass = try ToolFixture() }

    private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private static let counted = "otpauth://hotp/Site:me?secret=\(key)&counter=0&issuer=Site"

    /// Starts the tool below strace, which notes the arguments and variables of each program.
    private func traceStarts() throws -> String {
        let trace = pass.folder + "/trace"
        let strace = "\(TestPrograms.folder)/strace -f -v -s 9999 -e trace=execve"
        try pass.write(
            "#!/bin/sh\nexec \(strace) -o '\(trace)' -A '\(pass.folder)/bin/passchain' \"$@\"\n",
            to: "bin/traced",
            mode: 0o755
        )
        return trace
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"), arguments: [true, false])
    func putsNoKeyIntoTheArgumentsOrEnvironmentOfAProgram(viewerWorks: Bool) throws {
        try pass.write("#!/bin/sh\ncat > /dev/null\n", to: "bin/wl-copy", mode: 0o755)
        try pass.write("#!/bin/sh\n", to: "bin/wl-paste", mode: 0o755)
        // The picture is in the middle of qrencode's input and output.
        try pass.write("#!/bin/sh\nexec cat\n", to: "bin/qrencode", mode: 0o755)
        let viewer = viewerWorks ? "exec cat > \"$HOME/shown\"" : "exit 1"
        try pass.write("#!/bin/sh\n\(viewer)\n", to: "bin/display", mode: 0o755)
        let trace = try traceStarts()
        let variables = ["WAYLAND_DISPLAY": pass.folder, "PASSWORD_STORE_CLIP_TIME": "0"]
        _ = try pass.run("otp", "insert", "x", input: Self.counted + "\n", as: "traced", with: variables)
        for words in [["code", "-c"], ["uri", "-c"], ["code", "--qrcode"], ["uri", "--qrcode"]] {
            let outcome = try pass.run(["otp"] + words + ["x"], as: "traced", with: variables)
            #expect(outcome.status == 0, "\(outcome)")
            guard words == ["uri", "--qrcode"] else { continue }
            let shown = FileManager.default.contents(atPath: pass.folder + "/shown") ?? Data()
            #expect(String(decoding: shown, as: UTF8.self).contains(Self.key) == viewerWorks)
            #expect(outcome.output.contains(Self.key) != viewerWorks, "\(outcome)")
        }
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        for program in ["wl-copy", "qrencode", "display"] { #expect(calls.contains("bin/\(program)\"")) }
        for secret in [Self.key, "287082", "359152"] { #expect(!calls.contains(secret)) }
    }
}

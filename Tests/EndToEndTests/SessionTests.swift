import Foundation
import TestSupport
import Testing

/// The whole tool, command by command, against what Debian's pass 1.7.4 did.
///
/// `RECORD=pass` records the goldens anew with `/usr/bin/pass` and then fails, so that nobody records by accident.
/// `TOOL=/usr/bin/pass` compares pass with its own goldens. `TRANSCRIPTS=FOLDER` keeps what a run really answered.
@Suite struct SessionTests {
    @Test(arguments: Script.all)
    func answersAsRecorded(_ script: Script) throws {
        for program in script.requiredPrograms where !TestPrograms.have(program) {
            try Test.cancel("\(program) is not installed")
        }
        let answers = try ScriptRunner(tool: .underTest).run(script)
        if let folder = ProcessInfo.processInfo.environment["TRANSCRIPTS"] {
            let file = URL(filePath: folder).appending(path: "\(script.theme).txt")
            try Data(script.transcript(of: answers).utf8).write(to: file)
        }
        if Tool.isRecording {
            try Data(script.transcript(of: answers).utf8).write(to: script.golden)
            Issue.record("recorded \(script.golden.lastPathComponent); run again without RECORD")
            return
        }
        let golden = try Golden(contentsOf: script.golden)
        let expected =
            Tool.underTest.isReference
            ? golden.exchanges : try Deviations.shared.get().applied(to: golden, theme: script.theme)
        #expect(expected.map(\.command) == script.commands, "the golden is of another script: record it anew")
        for (expected, answer) in zip(expected, answers) where expected != answer {
            Issue.record("\(script.theme):\n\(lineDifference(from: expected.lines, to: answer.lines))")
        }
    }

    @Test func everyDeviationHasAReasonAndDiffersFromPass() throws {
        let deviations = try Deviations.shared.get()
        for theme in Set(deviations.sections.map(\.theme)).sorted() {
            let golden = try Golden(contentsOf: Folders.goldens.appending(path: "\(theme).txt"))
            let faults = deviations.faults(golden: golden, theme: theme)
            #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
    }

    @Test func everyGoldenHasItsScript() throws {
        let goldens = try FileManager.default.contentsOfDirectory(atPath: Folders.goldens.path)
            .filter { $0.hasSuffix(".txt") }
        #expect(Set(goldens) == Set(Script.all.map(\.golden.lastPathComponent)))
    }
}

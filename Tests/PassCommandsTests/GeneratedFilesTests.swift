import Foundation
import PassCommands
import Testing

/// The files that are made of the commands' descriptions are those beside the sources.
@Suite struct GeneratedFilesTests {
    /// The project's top folder.
    static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: Manual.files.map(\.path))
    func isWhatTheDescriptionsSay(_ path: String) throws {
        let text = try #require(Manual.files.first { $0.path == path }).text
        let url = Self.top.appending(path: path)
        if ProcessInfo.processInfo.environment["GENERATE"] != nil {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
            Issue.record("\(path) is written; run again without GENERATE")
            return
        }
        let present = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(present == text, "run `make generate` and commit \(path)")
    }
}

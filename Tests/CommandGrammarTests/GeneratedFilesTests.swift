import Foundation
import Testing

@testable import passchain_docs

/// The committed completions and manual page are those that the descriptions of the commands give.
@Suite struct GeneratedFilesTests {
    /// The project's top folder.
    static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: Manual.files.map(\.path))
    func isWhatTheDescriptionsSay(_ path: String) throws {
        let text = try #require(Manual.files.first { $0.path == path }).text
        let present = try String(decoding: Data(contentsOf: Self.top.appending(path: path)), as: UTF8.self)
        #expect(present == text, "run `make generate` and commit \(path)")
    }
}

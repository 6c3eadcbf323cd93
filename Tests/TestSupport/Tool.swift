public import Foundation

/// The program that end-to-end tests run.
///
/// Usually the built `passchain`. `RECORD=pass` chooses the `pass` that goldens are recorded from, `TOOL=PATH` any
/// program: `TOOL=/usr/bin/pass` shows that the goldens themselves hold.
public struct Tool: Sendable {
    /// Where the program is.
    public let url: URL

    /// Whether this is pass itself, whose answers are the goldens and which has no deviations.
    public let isReference: Bool

    /// Takes any program; one that is named `pass` is the reference.
    public init(at url: URL) {
        self.url = url
        isReference = url.resolvingSymlinksInPath().lastPathComponent == "pass"
    }

    /// The `pass` that goldens are recorded from.
    public static let reference = Tool(at: URL(filePath: "/usr/bin/pass"))

    /// Whether this run writes the goldens anew instead of comparing with them.
    public static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "pass"

    /// What this run tests.
    public static let underTest: Tool =
        if isRecording {
            reference
        } else if let path = ProcessInfo.processInfo.environment["TOOL"] {
            Tool(at: URL(filePath: path))
        } else {
            Tool(at: builtProductsFolder.appending(path: "passchain"))
        }

    /// The folder of the running test bundle, where the build also puts executables.
    public static let builtProductsFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Makes a link to the tool: under the name `pass`, its messages are those of `pass`.
    public func link(as name: String, in folder: URL) throws {
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: name),
            withDestinationURL: url
        )
    }
}

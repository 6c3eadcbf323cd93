import Foundation

/// Where the files of these tests are.
///
/// They are read in place, so that a recording lands in the sources.
enum Folders {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    static let scripts = tests.appending(path: "Scripts")
    static let goldens = tests.appending(path: "Golden")
    static let session = tests.appending(path: "session.bash")
    static let fixtures = tests.deletingLastPathComponent().appending(path: "Fixtures")
}

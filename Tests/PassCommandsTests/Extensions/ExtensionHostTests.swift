import Foundation
import PasswordStore
import Testing
import Unix

@testable import PassCommands

/// Folders with extensions in them, which go away at the end.
private final class ExtensionFolders {
    let store: String
    var system: String { store + "/system" }

    init() throws {
        store = "/tmp/pc-ext-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: store) }

    func add(_ name: String, mode: Int = 0o755) throws {
        let path = "\(store)/\(name)"
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("echo extension\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func host(_ variables: [String: String] = [:]) -> ExtensionHost {
        let environment = Environment(variables.merging(["PASSWORD_STORE_DIR": store]) { $1 })
        return ExtensionHost(
            Settings(environment: environment, currentFolder: "/"),
            systemFolder: Path(system)
        )
    }
}

@Suite struct ExtensionHostTests {
    private let folders: ExtensionFolders
    private let enabled = ["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"]

    init() throws { folders = try ExtensionFolders() }

    /// The extension that runs where both kinds count alike.
    private func find(_ name: String, _ variables: [String: String]) -> String? {
        let host = folders.host(variables)
        let file = host.userExtension(Array(name.utf8)) ?? host.systemExtension(Array(name.utf8))
        return file?.description
    }

    @Test(arguments: [nil, "", "1", "yes", "TRUE", "true ", "false"])
    func neverRunsAnExtensionOfTheStoreUnlessEnabled(_ value: String?) throws {
        try folders.add(".extensions/foo.bash")
        let variables = value.map { ["PASSWORD_STORE_ENABLE_EXTENSIONS": $0] } ?? [:]
        #expect(find("foo", variables) == nil)
        #expect(find("foo", enabled) == "\(folders.store)/.extensions/foo.bash")
    }

    @Test func takesAnotherFolderFromTheEnvironment() throws {
        try folders.add("elsewhere/foo.bash")
        let elsewhere = ["PASSWORD_STORE_EXTENSIONS_DIR": "\(folders.store)/elsewhere"]
        #expect(find("foo", elsewhere) == nil)
        #expect(find("foo", enabled.merging(elsewhere) { $1 }) == "\(folders.store)/elsewhere/foo.bash")
        #expect(find("foo", enabled.merging(["PASSWORD_STORE_EXTENSIONS_DIR": ""]) { $1 }) == nil)
    }

    @Test func prefersTheUsersExtensionToTheSystems() throws {
        try folders.add("system/foo.bash")
        #expect(find("foo", [:]) == "\(folders.store)/system/foo.bash")
        #expect(find("foo", enabled) == "\(folders.store)/system/foo.bash")
        try folders.add(".extensions/foo.bash")
        #expect(find("foo", [:]) == "\(folders.store)/system/foo.bash")
        #expect(find("foo", enabled) == "\(folders.store)/.extensions/foo.bash")
    }

    @Test func wantsARegularExecutableFile() throws {
        try folders.add(".extensions/plain.bash", mode: 0o644)
        try folders.add(".extensions/folder.bash/x")
        #expect(find("plain", enabled) == nil)
        #expect(find("folder", enabled) == nil)
        #expect(find("none", enabled) == nil)
    }

    @Test func takesNamesWithSlashesButNoneThatLeaveTheFolder() throws {
        try folders.add(".extensions/sub/x.bash")
        try folders.add("x.bash")
        try folders.add(".extensions/.bash")
        #expect(find("sub/x", enabled) == "\(folders.store)/.extensions/sub/x.bash")
        #expect(find("../x", enabled) == nil)
        #expect(find("sub/../../x", enabled) == nil)
        #expect(find("", enabled) == nil)
    }

    @Test func startsBashWithTheHostAsItsNameAndTheExtensionsArguments() {
        let start = folders.host().launch(
            "/e/foo.bash",
            command: Array("foo".utf8),
            arguments: [Array("a b".utf8), []],
            host: "/bin/pass"
        )
        let words = start.arguments.map { String(decoding: $0, as: UTF8.self) }
        #expect(start.program.lastComponent == Array("bash".utf8))
        #expect(
            words == ["-c", Prelude.script, "/bin/pass", folders.system, "/e/foo.bash", "foo", "a b", ""]
        )
    }

    private func hostPath(_ name: String) -> String {
        let environment = Environment(["PATH": "/bin"])
        return ExtensionHost.hostPath(calledAs: Array(name.utf8), in: "/home/me", environment).description
    }

    @Test(arguments: [
        ("/opt/pass", "/opt/pass"), ("bin/pass", "/home/me/bin/pass"), ("./pass", "/home/me/./pass"),
    ])
    func knowsItsOwnPath(_ name: String, _ path: String) {
        #expect(hostPath(name) == path)
    }

    @Test(arguments: ["bash", "no-such-program"])
    func mistakesNoOtherProgramOfItsNameForItself(_ name: String) throws {
        let file = try #require(Unix.Process.programFile())
        #expect(hostPath(name) == file.description)
    }
}

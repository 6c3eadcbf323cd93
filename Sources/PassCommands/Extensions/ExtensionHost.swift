internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// Finds pass's bash extensions and says how to run them.
///
/// User extensions count only where the environment says `PASSWORD_STORE_ENABLE_EXTENSIONS=true`, in these very
/// words: whoever can write to a store, for instance by a push, could otherwise run programs here. They win over the
/// system's extensions, which always count.
///
/// - Source: `cmd_extension` in pass 1.7.4.
struct ExtensionHost: Sendable {
    private let settings: Settings
    /// The folder of the system's extensions.
    private let systemFolder: Path

    /// Where Debian's packages put extensions.
    static let debianFolder: Path = "/usr/lib/password-store/extensions"

    /// Makes a host for the extensions of a store.
    init(_ settings: Settings, systemFolder: Path = debianFolder) {
        self.settings = settings
        self.systemFolder = systemFolder
    }

    /// The file of the user's extension called `name`; `nil` when there is none, or they are not enabled.
    ///
    /// A name may contain slashes. One that leads out of the folder finds nothing: `show`, to which such a word falls,
    /// refuses it.
    func userExtension(_ name: [UInt8]) -> Path? {
        settings.extensionsEnabled ? runnable(name, in: settings.extensionsFolder) : nil
    }

    /// The file of the system's extension called `name`; `nil` when there is none.
    func systemExtension(_ name: [UInt8]) -> Path? { runnable(name, in: systemFolder) }

    /// The file is regular and executable, or a link to such a file.
    private func runnable(_ name: [UInt8], in folder: Path) -> Path? {
        guard !name.isEmpty, !Path(name).components.contains(where: { $0.elementsEqual("..".utf8) })
        else { return nil }
        let file = Path(folder.bytes + [UInt8(ascii: "/")] + name).withSuffix(".bash")
        return settings.environment.findProgram(file.bytes)
    }

    /// Lets an extension take the place of this process.
    ///
    /// - Throws: ``Failure``; it returns in no other case.
    func run(_ file: Path, _ words: [Word], in session: Session) throws(Failure) -> Never {
        try session.output.flush()
        // An extension may commit by itself. Where there is no git, or no repository, it needs none.
        _ = try? session.store.gitProgram()
        let host = ExtensionHost.hostPath(
            calledAs: session.executable.bytes,
            in: session.currentFolder,
            session.environment
        )
        let start = launch(file, command: words[0], arguments: Array(words.dropFirst()), host: host)
        do throws(Errno) {
            try start.exec()
        } catch {
            throw Failure("Error: \(Failure.sentence(for: error))")
        }
    }

    /// The start of bash with the extension in `file`; its `exec` takes the place of this process.
    ///
    /// `command` is the word that named the extension, `arguments` is what follows it, and `host` is the path of this
    /// program under the name that it was called by. The environment goes on as it is; what extensions must not see
    /// of it, ``Prelude`` takes away.
    func launch(_ file: Path, command: [UInt8], arguments: [[UInt8]], host: Path) -> Subprocess {
        let bash = settings.environment.findProgram(Array("bash".utf8)) ?? "/bin/bash"
        let words = [Array("-c".utf8), Array(Prelude.script.utf8), host.bytes]
        let parameters = [systemFolder.bytes, file.bytes, command]
        return Subprocess(bash, words + parameters + arguments, environment: settings.environment)
    }

    /// The absolute path of this program under the name that it was called by, so that an extension may change its
    /// folder.
    ///
    /// `name` is the first word of the command line as the caller wrote it. A bare name may lead to another pass in
    /// `PATH`, which would not know the words of the prelude; then it is the path of the program's own file.
    static func hostPath(calledAs name: [UInt8], in folder: Path, _ environment: Environment) -> Path {
        if name.contains(UInt8(ascii: "/")) {
            return Path(name).isAbsolute ? Path(name) : folder.appending(Path(name))
        }
        if let found = environment.findProgram(name), Process.isProgram(at: found) { return found }
        return Process.programFile() ?? Path(name)
    }
}

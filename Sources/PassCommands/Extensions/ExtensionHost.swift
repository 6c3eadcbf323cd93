package import PasswordStore
package import Unix

/// Finds pass's bash extensions and says how to run them.
///
/// User extensions count only where the environment says `PASSWORD_STORE_ENABLE_EXTENSIONS=true`, in these very
/// words: whoever can write to a store, for instance by a push, could otherwise run programs here. They win over the
/// system's extensions, which always count.
///
/// - Source: sections 2.8 and 8 of the specification of pass.
package struct ExtensionHost: Sendable {
    private let settings: Settings
    /// The folder of the system's extensions.
    private let systemFolder: Path

    /// Where Debian's packages put extensions.
    package static let debianFolder: Path = "/usr/lib/password-store/extensions"

    /// Makes a host for the extensions of a store.
    package init(_ settings: Settings, systemFolder: Path = debianFolder) {
        self.settings = settings
        self.systemFolder = systemFolder
    }

    /// The file of the extension called `name`, which may contain slashes; `nil` when there is none.
    ///
    /// A name that leads out of the folder finds nothing: `show`, to which such a word falls, refuses it.
    ///
    /// `verify` checks the signature of a user extension, where signatures are required; what it throws comes through.
    package func find<Failure: Error>(
        _ name: [UInt8],
        verify: (Path) throws(Failure) -> Void
    ) throws(Failure) -> Path? {
        guard !name.isEmpty, !Path(name).components.contains(where: { Array($0) == Array("..".utf8) })
        else { return nil }
        if settings.extensionsEnabled, let file = runnable(name, in: settings.extensionsFolder) {
            try verify(file)
            return file
        }
        return runnable(name, in: systemFolder)
    }

    /// The file is regular and executable, or a link to such a file.
    private func runnable(_ name: [UInt8], in folder: Path) -> Path? {
        let file = Path(folder.bytes + [UInt8(ascii: "/")] + name).withSuffix(".bash")
        return settings.environment.findProgram(file.bytes)
    }

    /// The start of bash with the extension in `file`; its `exec` takes the place of this process.
    ///
    /// `command` is the word that named the extension, `arguments` is what follows it, and `host` is the path of this
    /// program under the name that it was called by. The environment goes on as it is; what extensions must not see
    /// of it, ``Prelude`` takes away.
    package func launch(_ file: Path, command: [UInt8], arguments: [[UInt8]], host: Path) -> Subprocess {
        let bash = settings.environment.findProgram(Array("bash".utf8)) ?? "/bin/bash"
        let words = [Array("-c".utf8), Array(Prelude.script.utf8), host.bytes]
        let parameters = [systemFolder.bytes, file.bytes, command]
        return Subprocess(bash, words + parameters + arguments, environment: settings.environment)
    }

    /// The absolute path of this program, under the name that it was called by, so that it may change its folder.
    ///
    /// `name` is the first word of the command line as the caller wrote it, `folder` the current folder. The answer is
    /// `nil` where a bare name is not in `PATH`.
    package static func hostPath(calledAs name: [UInt8], in folder: Path, environment: Environment) -> Path? {
        if name.contains(UInt8(ascii: "/")) {
            return Path(name).isAbsolute ? Path(name) : folder.appending(Path(name))
        }
        return environment.findProgram(name)
    }
}

internal import Foundation
internal import Glibc

/// The programs that tests may use, in one folder for `PATH`, so that no test finds what else is installed.
///
/// A viewer, a clipboard or an editor is not among them: a test that needs one brings a script of that name.
/// For an ordinary user `strace` and `unshare` get a user namespace, where that user may trace and mount
/// (``Machine``).
public enum TestPrograms {
    /// The folder, which is removed when the process exits.
    public static let folder: String = make()

    /// The program's path in ``folder``; `nil` when it is not installed, or not one that tests use.
    public static func path(of name: String) -> String? {
        let path = "\(folder)/\(name)"
        return access(path, X_OK) == 0 ? path : nil
    }

    /// Whether all of these programs are installed.
    public static func have(_ names: String...) -> Bool { names.allSatisfy { path(of: $0) != nil } }

    private static let names = """
        [ base64 basename cat chmod chown cksum cmp comm cp cut date dd df diff dirname du echo env expr false fold
        groups head hostname id install join kill link ln locale localedef logname ls md5sum mkdir mkfifo mknod mktemp
        mv nice nl nohup nproc numfmt od paste pathchk pr printenv printf pwd readlink realpath rm rmdir seq
        sha1sum sha256sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout
        touch tr true truncate tty uname unexpand uniq unlink wc who whoami xargs yes
        awk bash dash egrep expect fgrep file find fish flock getconf getent getopt grep gunzip gzip less lsattr
        mandoc mawk more mount mountpoint oathtool openssl pass perl pgrep pkill prlimit ps python3 qrencode script
        sed setpriv setsid sh shellcheck strace su tar taskset tput tree umount unshare vim which xz zsh
        git git-receive-pack git-shell git-upload-archive git-upload-pack
        gpg gpg-agent gpg-connect-agent gpgconf gpgsm gpgv pinentry-curses
        """

    private static func make() -> String {
        let folder = temporaryFolder()
        for name in names.split(whereSeparator: \.isWhitespace) {
            for parent in ["/usr/bin", "/bin", "/usr/local/bin"] where access("\(parent)/\(name)", X_OK) == 0
            {
                precondition(symlink("\(parent)/\(name)", "\(folder)/\(name)") == 0)
                break
            }
        }
        if geteuid() != 0 {
            for name in ["strace", "unshare"] { giveNamespace(to: name, in: folder) }
        }
        return folder
    }

    /// Has a program run in a user namespace with all capabilities.
    ///
    /// `unshare` keeps the user ID. `strace` gets 0: to the root of its namespace, and to no other user there, belong
    /// the files in `/proc` of a process that forbids core dumps, among them the paths of its descriptors.
    private static func giveNamespace(to name: String, in folder: String) {
        let (link, script) = ("\(folder)/\(name)", "\(folder)/\(name).text")
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return }
        let command =
            name == "unshare"
            ? "/usr/bin/unshare --map-current-user --keep-caps"
            : "/usr/bin/unshare --map-root-user \(program)"
        do {
            try FileManager.default.removeItem(atPath: link)
            try Data("#!/bin/sh\nexec \(command) \"$@\"\n".utf8).write(to: URL(fileURLWithPath: script))
            // Another process writes it, so that it can be run at once (see `writeFile`).
            _ = try runProgram("/usr/bin/install", ["-m", "755", script, link], environment: [:])
        } catch {
            preconditionFailure("\(link): \(error)")
        }
    }

    private static func temporaryFolder() -> String {
        var template = Array("/tmp/pcbXXXXXX".utf8CString)
        // Tests also run programs as other users.
        precondition(mkdtemp(&template) != nil && chmod(template, 0o755) == 0)
        atexit { try? FileManager.default.removeItem(atPath: TestPrograms.folder) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

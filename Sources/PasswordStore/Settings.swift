internal import SecretMemory
public import Unix

/// What the `PASSWORD_STORE_*` variables say, read once.
///
/// Source: the manual of pass 1.7.4, ENVIRONMENT.
public struct Settings: Sendable, Hashable {
    /// The store's folder, absolute, written as the user wrote it (`PASSWORD_STORE_DIR`).
    public var root: Path

    /// Recipients that stand in for every `.gpg-id` (`PASSWORD_STORE_KEY`); empty when unset.
    public var keys: [[UInt8]]

    /// Options for every run of gpg (`PASSWORD_STORE_GPG_OPTS`).
    public var gpgOptions: [[UInt8]]

    /// Fingerprints of the keys that may sign a `.gpg-id` (`PASSWORD_STORE_SIGNING_KEY`); empty: no signature wanted.
    public var signingKeys: [[UInt8]]

    /// The permission bits that new files do not get, as text for ``Umask`` (`PASSWORD_STORE_UMASK`).
    public var umask: [UInt8]

    /// How long a generated password is (`PASSWORD_STORE_GENERATED_LENGTH`).
    public var generatedLength: [UInt8]

    /// What a generated password is made of, as a set of `tr` (`PASSWORD_STORE_CHARACTER_SET`).
    public var characterSet: [UInt8]

    /// The same without symbols (`PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS`).
    public var characterSetNoSymbols: [UInt8]

    /// How long a secret stays on the clipboard, as `sleep` takes it: seconds (`PASSWORD_STORE_CLIP_TIME`).
    public var clipTime: [UInt8]

    /// Which X selection is the clipboard (`PASSWORD_STORE_X_SELECTION`).
    public var xSelection: [UInt8]

    /// Whether extensions in the user's own folder may run (`PASSWORD_STORE_ENABLE_EXTENSIONS`).
    public var extensionsEnabled: Bool

    /// The user's own folder of extensions (`PASSWORD_STORE_EXTENSIONS_DIR`).
    public var extensionsFolder: Path

    /// How many entries are decrypted at a time, where there are many (`PASSCHAIN_JOBS`).
    ///
    /// `nil`, the default, leaves it to the number of cores.
    public var jobs: Int?

    /// The most bytes that an entry may hold (`PASSCHAIN_SIZE_LIMIT`), as it is read and as it is written: a small
    /// message may hold gigabytes.
    ///
    /// It is never more than ``Store/largestEntry``.
    public var sizeLimit: Int

    /// What git and other children start with.
    public var environment: Environment

    /// Reads the variables.
    ///
    /// - Parameters:
    ///   - environment: the variables; children get them too, but for the ones that would lead git astray.
    ///   - currentFolder: what a relative `PASSWORD_STORE_DIR` is relative to.
    public init(environment: Environment, currentFolder: Path) {
        // Without a home it is a folder at the root, as in the shell that pass is written in.
        let home = Path(environment.nonEmpty("HOME") ?? Array("/".utf8))
        let given = environment.nonEmpty("PASSWORD_STORE_DIR").map { Path($0) }
        let root = given ?? home.appending(".password-store")
        self.root = root.isAbsolute ? root : currentFolder.appending(root)
        keys = environment.words("PASSWORD_STORE_KEY")
        gpgOptions = environment.words("PASSWORD_STORE_GPG_OPTS")
        signingKeys = environment.words("PASSWORD_STORE_SIGNING_KEY")
        umask = environment.nonEmpty("PASSWORD_STORE_UMASK") ?? Array("077".utf8)
        generatedLength = environment.nonEmpty("PASSWORD_STORE_GENERATED_LENGTH") ?? Array("25".utf8)
        characterSet =
            environment.nonEmpty("PASSWORD_STORE_CHARACTER_SET") ?? Array("[:punct:][:alnum:]".utf8)
        characterSetNoSymbols =
            environment.nonEmpty("PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS") ?? Array("[:alnum:]".utf8)
        clipTime = environment.nonEmpty("PASSWORD_STORE_CLIP_TIME") ?? Array("45".utf8)
        xSelection = environment.nonEmpty("PASSWORD_STORE_X_SELECTION") ?? Array("clipboard".utf8)
        extensionsEnabled = environment["PASSWORD_STORE_ENABLE_EXTENSIONS"] == Array("true".utf8)
        extensionsFolder =
            environment.nonEmpty("PASSWORD_STORE_EXTENSIONS_DIR").map { Path($0) }
            ?? self.root.appending(".extensions")
        let jobs = environment.number("PASSCHAIN_JOBS")
        self.jobs = jobs.map { min(Settings.mostJobs, max(1, $0)) }
        let limit = environment.number("PASSCHAIN_SIZE_LIMIT").flatMap { $0 >= 0 ? $0 : nil }
        sizeLimit = min(limit ?? Store.largestEntry, Store.largestEntry)
        self.environment = Settings.cleaned(environment, root: self.root)
    }

    private static let mostJobs = 64

    /// What children start with: the caller's repository is not ours, and repositories above the store do not count.
    private static func cleaned(_ environment: Environment, root: Path) -> Environment {
        var result = environment
        for name in [
            "GIT_DIR", "GIT_WORK_TREE", "GIT_NAMESPACE", "GIT_INDEX_FILE", "GIT_INDEX_VERSION",
            "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_QUARANTINE_PATH", "GIT_CONFIG", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
            "GIT_INTERNAL_SUPER_PREFIX", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
        ] {
            result[name] = nil
        }
        result["GIT_CEILING_DIRECTORIES"] = root.bytes + Array("/..".utf8)
        return result
    }
}

extension Settings {
    /// The first variable whose value was not taken over, because it holds a NUL; see ``Environment/unusableNames``.
    ///
    /// The store refuses to work then: what holds instead, such as another folder, was not meant.
    var unusableVariable: String? {
        let lists = [
            ("PASSWORD_STORE_GPG_OPTS", gpgOptions), ("PASSWORD_STORE_KEY", keys),
            ("PASSWORD_STORE_SIGNING_KEY", signingKeys),
        ]
        return environment.unusableNames.min() ?? lists.first { $0.1.contains(where: \.holdsNUL) }?.0
    }

    /// ``umask`` as bits; those that pass uses when it cannot be read.
    package var umaskBits: UInt32 { (Umask(umask) ?? .standard).bits }

    /// ``jobs``, or as many as pay off: asked for when there is such work only, since the answer is read from a file.
    package var threads: Int { jobs ?? OrderedWork.standardThreads }

    /// One variable, for manuals: its name, its value when unset, what it does.
    public struct Variable: Sendable {
        /// The variable's name.
        public let name: String
        /// Its value when it is unset or empty; empty when there is none.
        public let standard: String
        /// What it does, in sentences.
        public let meaning: String
    }

    /// The variables that ``init(environment:currentFolder:)`` reads, in the order of the manual page.
    public static let variables: [Variable] = [
        Variable(
            name: "PASSWORD_STORE_DIR",
            standard: "$HOME/.password-store",
            meaning: "The store's folder. A relative path is taken from the current folder."
        ),
        Variable(
            name: "PASSWORD_STORE_KEY",
            standard: "",
            meaning: "GPG ids, separated by blanks, that stand in for every .gpg-id file."
        ),
        Variable(
            name: "PASSWORD_STORE_GPG_OPTS",
            standard: "",
            meaning:
                "Options for every run of gpg, separated by blanks. Of those that name a descriptor, --status-fd and "
                + "--passphrase-fd have an effect."
        ),
        Variable(
            name: "PASSWORD_STORE_SIGNING_KEY",
            standard: "",
            meaning: "Full fingerprints, separated by blanks. "
                + "A .gpg-id file then counts only with a valid detached signature by one of them."
        ),
        Variable(
            name: "PASSWORD_STORE_UMASK",
            standard: "077",
            meaning: "The permission bits that new files and folders do not get, as umask of bash takes them."
        ),
        Variable(
            name: "PASSWORD_STORE_GENERATED_LENGTH",
            standard: "25",
            meaning: "How long generate makes a password."
        ),
        Variable(
            name: "PASSWORD_STORE_CHARACTER_SET",
            standard: "[:punct:][:alnum:]",
            meaning: "The characters that generate chooses from, as a set of tr(1)."
        ),
        Variable(
            name: "PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS",
            standard: "[:alnum:]",
            meaning: "The same for generate --no-symbols."
        ),
        Variable(
            name: "PASSWORD_STORE_CLIP_TIME",
            standard: "45",
            meaning: "Seconds until the clipboard gets its former content back."
        ),
        Variable(
            name: "PASSWORD_STORE_X_SELECTION",
            standard: "clipboard",
            meaning: "The X selection that --clip uses: primary, secondary or clipboard."
        ),
        Variable(
            name: "PASSWORD_STORE_ENABLE_EXTENSIONS",
            standard: "",
            meaning: "With the value true, extensions in the user's own folder may run."
        ),
        Variable(
            name: "PASSWORD_STORE_EXTENSIONS_DIR",
            standard: "$PASSWORD_STORE_DIR/.extensions",
            meaning: "The user's own folder of extensions."
        ),
        Variable(
            name: "PASSCHAIN_JOBS",
            standard: "two for each core, 8 at most",
            meaning: "How many entries are decrypted at a time, from 1 to 64, where many have to be."
        ),
        Variable(
            name: "PASSCHAIN_SIZE_LIMIT",
            standard: "268435456",
            meaning:
                "The most bytes that an entry may hold, 268435456 at most. A larger one is neither shown, as a small file may hold gigabytes, "
                + "compressed, nor saved."
        ),
    ]
}

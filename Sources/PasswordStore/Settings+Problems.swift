internal import GPGME
internal import Unix

extension Settings {
    /// A variable that is set to a value which cannot be used.
    public struct Problem: Sendable, Hashable {
        /// The variable's name.
        public let name: String
        /// Its value, or the word of it that is wrong.
        public let value: [UInt8]
        /// What it is not, and what holds instead: the rest of a sentence.
        public let meaning: String
    }

    /// What is wrong with variables that have a value to fall back to.
    ///
    /// The others are looked at where they are used, and stop what needs them.
    public var problems: [Problem] {
        var problems: [Problem] = []
        func check(_ name: String, _ value: [UInt8]?, isRight: Bool, _ meaning: @autoclosure () -> String) {
            guard let value, !isRight else { return }
            problems.append(Problem(name: name, value: value, meaning: meaning()))
        }
        check("PASSWORD_STORE_UMASK", umask, isRight: Umask(umask) != nil, "is no umask; 077 is used.")
        check(
            "PASSCHAIN_SIZE_LIMIT",
            environment.nonEmpty("PASSCHAIN_SIZE_LIMIT"),
            isRight: environment.number("PASSCHAIN_SIZE_LIMIT") == sizeLimit,
            "is no number of bytes from 0 to \(Store.largestEntry); \(sizeLimit) is used."
        )
        check(
            "PASSCHAIN_JOBS",
            environment.nonEmpty("PASSCHAIN_JOBS"),
            isRight: jobs != nil && environment.number("PASSCHAIN_JOBS") == jobs,
            "is no number from 1 to 64; \(threads) is used."
        )
        let extensions = environment.nonEmpty("PASSWORD_STORE_ENABLE_EXTENSIONS")
        let plain = ["true", "false", "0", "no", "off"].map { Array($0.utf8) }
        check(
            "PASSWORD_STORE_ENABLE_EXTENSIONS",
            extensions,
            isRight: extensions.map(plain.contains) ?? true,
            "is not the word true; extensions in the user's own folder do not run."
        )
        for key in signingKeys {
            check(
                "PASSWORD_STORE_SIGNING_KEY",
                key,
                isRight: Fingerprint(key) != nil,
                "is no full fingerprint; no signature counts as one by it."
            )
        }
        for option in GnuPGOptions(gpgOptions).useless {
            check(
                "PASSWORD_STORE_GPG_OPTS",
                option,
                isRight: false,
                "names no descriptor that gpg can use; it is passed over."
            )
        }
        return problems
    }
}

extension Environment {
    /// The number that a variable holds; `nil` when it is unset or holds none.
    func number(_ name: String) -> Int? {
        self[name].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

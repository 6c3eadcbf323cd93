internal import Unix

extension History {
    /// A name and address for commits of a user of whom git knows none.
    struct StandIn: Sendable {
        /// The variables that tell git.
        let variables: [String: [UInt8]]
        /// `USER <USER@HOST>`.
        let text: [UInt8]
    }

    /// Who commits, where git knows no name or no address.
    ///
    /// What git does know is kept.
    ///
    /// - Returns: `nil` when git knows both, when nothing that can be said here helps, or when the user wants git to
    ///   insist (`user.useConfigOnly`).
    func standIn() throws(Errno) -> StandIn? {
        let insists = try run(["config", "--bool", "--get", "user.useConfigOnly"]).output
        guard !insists.starts(with: "true".utf8) else { return nil }
        let user = userName()
        let address = variable("EMAIL") ?? user + Array("@".utf8) + hostName()
        var variables: [String: [UInt8]] = [:]
        var text: [UInt8] = []
        for role in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            let (name, email) = (["\(role)_NAME": user], ["\(role)_EMAIL": address])
            var isKnown = false
            for (index, more) in [[:], email, name, name.merging(email) { $1 }].enumerated() where !isKnown {
                let all = variables.merging(more) { $1 }
                // What git guesses goes with what it guesses only: a name from the list of users does not go with USER.
                let strictly = index == 0 ? [] : ["-c", "user.useConfigOnly=true"]
                let outcome = try run(strictly + ["var", "\(role)_IDENT"], with: all)
                guard outcome.status == 0 else { continue }
                isKnown = true
                variables = all
                // USER <USER@HOST> 1700000000 +0100
                text = Array(outcome.output.prefix { $0 != UInt8(ascii: ">") }) + [UInt8(ascii: ">")]
            }
            guard isKnown else { return nil }
        }
        return variables.isEmpty ? nil : StandIn(variables: variables, text: text)
    }

    private func userName() -> [UInt8] {
        for name in ["USER", "LOGNAME"].compactMap(variable) where History.isUserName(name) { return name }
        let number = Array(String(Process.userID).utf8)
        // name:password:number:…; a user whom another service knows has the variables.
        for line in ((try? readFile("/etc/passwd", limit: 1024 * 1024)) ?? []).split(separator: 0x0A) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            if fields.count > 2, fields[2].elementsEqual(number) { return Array(fields[0]) }
        }
        return Array("user".utf8) + number
    }

    /// Whether git would keep all bytes of a name, and an address could begin with it.
    private static func isUserName(_ name: [UInt8]) -> Bool {
        let punctuation = Array("-_+.".utf8)
        let isLetterOrDigit = { (byte: UInt8) in
            byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        return name.allSatisfy { isLetterOrDigit($0) || punctuation.contains($0) }
            && name.contains(where: isLetterOrDigit)
    }

    private func hostName() -> [UInt8] {
        let name = (try? readFile("/proc/sys/kernel/hostname", limit: 1024)) ?? []
        let line = Array(name.prefix { $0 != 0x0A })
        return line.isEmpty ? Array("localhost".utf8) : line
    }
}

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
        let address = user + Array("@".utf8) + hostName()
        var variables: [String: [UInt8]] = [:]
        var text: [UInt8] = []
        for role in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            let (name, email) = (["\(role)_NAME": user], ["\(role)_EMAIL": address])
            var isKnown = false
            for more in [[:], email, name, name.merging(email) { $1 }] where !isKnown {
                let all = variables.merging(more) { $1 }
                let outcome = try run(["var", "\(role)_IDENT"], with: all)
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
        if let name = variable("USER") ?? variable("LOGNAME") { return name }
        let number = Array(String(Process.userID).utf8)
        // name:password:number:…; a user whom another service knows has the variables.
        for line in ((try? readFile("/etc/passwd", limit: 1024 * 1024)) ?? []).split(separator: 0x0A) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            if fields.count > 2, fields[2].elementsEqual(number) { return Array(fields[0]) }
        }
        return Array("user".utf8) + number
    }

    private func hostName() -> [UInt8] {
        let name = (try? readFile("/proc/sys/kernel/hostname", limit: 1024)) ?? []
        let line = Array(name.prefix { $0 != 0x0A })
        return line.isEmpty ? Array("localhost".utf8) : line
    }
}

internal import Glibc

/// What tells one process from all others, those before and after it included: its number, and when it started.
struct ProcessMark: Sendable, Hashable {
    /// Its number.
    let id: Int32
    /// When it started, in ticks since the machine did; field 22 of `/proc/ID/stat`.
    let start: UInt64

    init(id: Int32, start: UInt64) {
        self.id = id
        self.start = start
    }

    /// The mark of a process that runs now; `nil` when `/proc` does not tell.
    init?(ofRunning id: Int32) {
        guard let facts = ProcessMark.facts(of: id) else { return nil }
        self.init(id: id, start: facts.start)
    }

    private static func facts(of id: Int32) -> (start: UInt64, isOver: Bool)? {
        // 4711 (name with ) and blanks) S 4242 …
        guard let text = try? readFile(Path("/proc/\(id)/stat")),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: text[(end + 1)...], as: UTF8.self).split(separator: " ")
        // Behind the name comes field 3, the state.
        guard fields.count > 19, let start = UInt64(fields[19]) else { return nil }
        return (start, ["Z", "X"].contains(fields[0]))
    }

    /// Whether the process has ended, which is known only of one that this machine started since its own start.
    var hasEnded: Bool {
        guard Process.isRunning(id) else { return true }
        // What cannot be looked at, though there is such a process, may be the very one.
        return ProcessMark.facts(of: id).map { $0.start != start || $0.isOver } ?? false
    }
}

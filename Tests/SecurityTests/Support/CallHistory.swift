import Foundation
import Security

/// One call on one key, as the process that made it saw it.
struct RecordedCall: Codable, Hashable {
    enum Kind: String, Codable {
        case add
        case update
        case delete
        case read
    }

    let kind: Kind
    let key: String
    /// What was written, or read.
    var value: String?
    var status: OSStatus
    /// Nanoseconds of a clock that all processes share.
    let start: UInt64
    var end: UInt64

    /// What the call makes of a key that holds `state`; nil when it could not have answered so.
    func applied(to state: String?) -> String?? {
        switch (kind, status, state) {
        case (.add, 0, nil), (.update, 0, .some): .some(value)
        case (.delete, 0, .some): .some(nil)
        case (.add, -25299, .some), (.update, -25300, nil), (.delete, -25300, nil), (.read, -25300, nil):
            .some(state)
        case (.read, 0, .some(let held)) where held == value: .some(state)
        default: nil
        }
    }
}

/// Whether some serial order, which keeps every call that ended before another began in front of it, explains what
/// all calls on one key answered (Wing and Gong's search, with the positions already seen).
struct SerialOrder {
    /// How far an order has come: every call before `first`, those in `done`, and what the key holds then.
    private struct Position: Hashable {
        var first = 0
        var done: Set<Int> = []
        var state: String?
    }

    /// - Returns: the states that the key can be left in; none when no order explains the calls.
    static func finalStates(of calls: [RecordedCall], from initial: String? = nil) -> Set<String?> {
        let calls = calls.sorted { $0.start < $1.start }
        var seen: Set<Position> = []
        var waiting = [Position(state: initial)]
        var finals: Set<String?> = []
        while var position = waiting.popLast() {
            while position.done.remove(position.first) != nil { position.first += 1 }
            guard position.first < calls.count else {
                finals.insert(position.state)
                continue
            }
            guard seen.insert(position).inserted else { continue }
            // Only a call that began before every other open call has ended can come next.
            var deadline = UInt64.max
            for index in position.first..<calls.count where !position.done.contains(index) {
                guard calls[index].start <= deadline else { break }
                deadline = min(deadline, calls[index].end)
                guard let state = calls[index].applied(to: position.state) else { continue }
                waiting.append(
                    Position(first: position.first, done: position.done.union([index]), state: state)
                )
            }
        }
        return finals
    }
}

/// Shows how two texts differ: lines only the first has with `-`, only the second with `+`, the others with a blank.
public func lineDifference(from old: [String], to new: [String]) -> String {
    let changes = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var lines: [String] = []
    var next = 0
    for (offset, line) in old.enumerated() {
        if removed.contains(offset) {
            lines.append("- " + line)
            continue
        }
        while inserted.contains(next) {
            lines.append("+ " + new[next])
            next += 1
        }
        lines.append("  " + line)
        next += 1
    }
    lines += new[next...].map { "+ " + $0 }
    return lines.joined(separator: "\n")
}

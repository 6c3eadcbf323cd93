internal import SecretMemory
internal import Unix

/// What `find` looks for: tree's patterns, compared with one name at a time and without regard to case.
///
/// In a term `*` stands for any bytes, `?` for one, `[ab]`, `[a-z]` and `[^a]` for one of a set, `\` takes the meaning
/// of what follows away, and `|` separates alternatives. Where tree's own matching goes astray, what is documented
/// counts: `**` is the same as `*`; a `[` without a `]`, a `-` before a `]` and a `\` at the end stand for themselves.
struct NamePattern {
    private enum Element {
        case any
        case one
        case byte(UInt8)
        case set([ClosedRange<UInt8>], isExcluding: Bool)
    }

    private let alternatives: [[Element]]

    /// Makes the pattern for the words of `pass find`: a name that has any of them in it.
    init(terms: [[UInt8]]) {
        alternatives = terms.flatMap { term in
            // pass puts a `*` at both ends of a term, whether it has alternatives or not.
            var pieces = term.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
                .map(Self.elements)
            pieces[0].insert(.any, at: 0)
            pieces[pieces.count - 1].append(.any)
            return pieces
        }
    }

    /// Whether the whole of `name` is as one of the alternatives says.
    func matches(_ name: ArraySlice<UInt8>) -> Bool {
        alternatives.contains { Self.matches(name, $0) }
    }

    /// What `find` shows of a tree: what matches, the folders it lies in, and all that is in a folder that matches.
    ///
    /// A name counts as it is shown, without `.gpg`. Of folders with nothing in them only those stay that match.
    func search(_ tree: FolderTree) -> FolderTree {
        var isKept = [Bool](repeating: false, count: tree.nodes.count)
        // The depth of the outermost folder that matches, while in it.
        var matchedDepth: Int?
        for (place, node) in tree.nodes.enumerated() {
            if let depth = matchedDepth, node.depth <= depth { matchedDepth = nil }
            let isMatch = matches(Self.shownName(tree.name(of: node)))
            isKept[place] = isMatch || matchedDepth != nil && node.contents != .listed
            if isMatch, matchedDepth == nil { matchedDepth = node.depth }
        }
        // Going backwards: whether something is kept at each depth of the folder in hand.
        var keptBelow: [Bool] = []
        for place in tree.nodes.indices.reversed() {
            let depth = tree.nodes[place].depth
            if keptBelow.count > depth + 1 {
                if keptBelow[depth + 1] { isKept[place] = true }
                keptBelow.removeSubrange((depth + 1)...)
            } else {
                keptBelow += repeatElement(false, count: max(0, depth + 1 - keptBelow.count))
            }
            if isKept[place] { keptBelow[depth] = true }
        }
        return tree.keeping(isKept)
    }

    private static func shownName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.suffix(4).elementsEqual(".gpg".utf8) ? name.dropLast(4) : name
    }

    private static func elements(of text: ArraySlice<UInt8>) -> [Element] {
        var elements: [Element] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): elements.append(.any)
            case UInt8(ascii: "?"): elements.append(.one)
            case UInt8(ascii: "["):
                if let (set, after) = set(rest) {
                    elements.append(set)
                    rest = after
                } else {
                    elements.append(.byte(byte))
                }
            case UInt8(ascii: "\\"): elements.append(.byte((rest.popFirst() ?? byte).lowercased))
            default: elements.append(.byte(byte.lowercased))
            }
        }
        return elements
    }

    /// The set whose text starts `rest`, behind its `[`, and what comes behind its `]`; `nil` without a `]`.
    private static func set(_ text: ArraySlice<UInt8>) -> (Element, rest: ArraySlice<UInt8>)? {
        var rest = text
        let isExcluding = rest.first == UInt8(ascii: "^")
        if isExcluding { rest.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
            guard let first = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return nil }
            var last = first
            if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") {
                rest.removeFirst()
                guard let byte = rest.popFirst() else { return nil }
                guard let escaped = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return nil }
                last = escaped
            }
            let (low, high) = (first.lowercased, last.lowercased)
            if low <= high { ranges.append(low...high) }
        }
        let isClosed = rest.startIndex > text.startIndex && text[rest.startIndex - 1] == UInt8(ascii: "]")
        return isClosed ? (.set(ranges, isExcluding: isExcluding), rest) : nil
    }

    /// Goes forward without a call for each `*`: on a mismatch only the last `*` need take one byte more.
    private static func matches(_ name: ArraySlice<UInt8>, _ elements: [Element]) -> Bool {
        var place = name.startIndex
        var element = 0
        var retry: (place: Int, element: Int)?
        while place < name.endIndex {
            if element < elements.count, case .any = elements[element] {
                element += 1
                retry = (place, element)
            } else if element < elements.count, isMatch(name[place], elements[element]) {
                element += 1
                place += 1
            } else if let last = retry {
                place = last.place + 1
                element = last.element
                retry = (place, element)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { if case .any = $0 { true } else { false } }
    }

    private static func isMatch(_ byte: UInt8, _ element: Element) -> Bool {
        let byte = byte.lowercased
        return switch element {
        case .any, .one: true
        case .byte(let wanted): byte == wanted
        case .set(let ranges, let isExcluding): ranges.contains { $0.contains(byte) } != isExcluding
        }
    }
}

internal import SecretMemory
internal import Unix

/// Draws a folder tree as `tree -N -C -l --noreport FOLDER | tail -n +2 | sed 's/\.gpg...//'` does, byte for byte.
///
/// On a terminal, and only there, names are made harmless: see ``TerminalText``.
struct TreeText {
    /// The lines that lead to the names.
    let lines: TreeLines
    /// The colours; `nil` for none.
    let colors: FileColors?
    /// Whether a terminal shows the text.
    let isForTerminal: Bool
    /// What orders the names.
    private let locale: TextLocale

    /// Makes what `environment` asks for, with the encoding and the order of `locale`.
    init(environment: Environment, locale: TextLocale, isForTerminal: Bool = false) {
        self.isForTerminal = isForTerminal
        self.locale = locale
        lines = TreeLines(charset: environment["TREE_CHARSET"], codeset: locale.codeset)
        colors = FileColors(
            terminal: environment["TERM"],
            treeColors: environment["TREE_COLORS"],
            lsColors: environment["LS_COLORS"]
        )
    }

    /// How a tree must be read to be drawn.
    var walk: FolderWalk {
        var walk = FolderWalk()
        walk.order = locale
        walk.followsLinks = true
        walk.readsPermissions = colors != nil
        return walk
    }

    /// The text, drawn while the permissions of the files are still being read.
    ///
    /// They say what is coloured as a program. Few stores have one; what has one is drawn again.
    func draw(_ unfinished: UnfinishedTree) -> [UInt8] {
        let text = draw(unfinished.tree)
        return unfinished.isPlain ? text : draw(unfinished.finish())
    }

    /// The text: one line for each node, with a final newline.
    func draw(_ tree: FolderTree) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(tree.nodes.count * 64)
        let isLast = Self.isLast(in: tree)
        var lead: [UInt8] = []
        // The length of `lead` for each depth.
        var lengths = [0]
        for (node, isLast) in zip(tree.nodes, isLast) {
            lengths.removeSubrange((node.depth + 1)...)
            lead.removeSubrange(lengths[node.depth]...)
            text += lead
            text += isLast ? lines.lastBranch : lines.branch
            let start = text.count
            append(node, of: tree, to: &text)
            text.append(UInt8(ascii: "\n"))
            Self.removeSuffixes(in: &text, from: start)
            lead += isLast ? lines.nothing : lines.past
            lengths.append(lead.count)
        }
        return text
    }

    private func append(_ node: FolderTree.Node, of tree: FolderTree, to text: inout [UInt8]) {
        let names = tree.text.span
        let name = names.extracting(node.name)
        append(name, escape: colors?.escape(for: node, named: name), to: &text)
        if let place = node.target {
            let target = names.extracting(place)
            text += " -> ".utf8
            append(target, escape: colors?.escape(forTargetOf: node, named: target), to: &text)
        }
        switch node.contents {
        case .none, .listed, .notFollowed: break
        case .alreadySeen: text += "  [recursive, not followed]".utf8
        case .outside: text += "  [outside the password store, not followed]".utf8
        case .unreadable: text += "  [error opening dir]".utf8
        }
    }

    private func append(_ name: Span<UInt8>, escape: FileColors.Escape?, to text: inout [UInt8]) {
        if let escape { colors?.append(escape, to: &text) }
        if isForTerminal { TerminalText.append(name, to: &text) } else { text.append(name) }
        if escape != nil, let colors { colors.append(colors.reset, to: &text) }
    }

    /// Whether each node is the last one in its folder.
    private static func isLast(in tree: FolderTree) -> [Bool] {
        var answers = [Bool](repeating: false, count: tree.nodes.count)
        // Going backwards: whether a node came by at each depth of the folder in hand.
        var cameBy: [Bool] = []
        for place in tree.nodes.indices.reversed() {
            let depth = tree.nodes[place].depth
            if cameBy.count > depth {
                answers[place] = !cameBy[depth]
                cameBy.removeSubrange((depth + 1)...)
            } else {
                answers[place] = true
                cameBy += repeatElement(false, count: depth + 1 - cameBy.count)
            }
            cameBy[depth] = true
        }
        return answers
    }

    /// Takes `.gpg` away at the end of each line, and before ` ->`; an escape may stand in between.
    ///
    /// - Source: `sed -E 's/\.gpg(\x1B\[[0-9]+m)?( ->|$)/\1\2/g'` in pass 1.7.4. It goes line by line, and so it also
    ///   cuts within a name that has a newline.
    private static func removeSuffixes(in text: inout [UInt8], from start: Int) {
        var next = start
        while let place = nextSuffix(in: text.span, from: next) {
            text.removeSubrange(place..<place + 4)
            next = place
        }
    }

    /// Where the next `.gpg` to be taken away starts; behind the last byte of a line there is always its newline.
    private static func nextSuffix(in text: Span<UInt8>, from start: Int) -> Int? {
        var place = start
        while place + 4 < text.count {
            if text[place] == UInt8(ascii: "."), text[place + 1] == UInt8(ascii: "g"),
                text[place + 2] == UInt8(ascii: "p"), text[place + 3] == UInt8(ascii: "g"),
                isEnd(text, at: place + 4) || isEnd(text, at: endOfEscape(in: text, at: place + 4))
            {
                return place
            }
            place += 1
        }
        return nil
    }

    /// Where an escape with digits that starts at `place` ends; `place` where there is none.
    private static func endOfEscape(in text: Span<UInt8>, at place: Int) -> Int {
        guard text[place] == 0x1B, place + 1 < text.count, text[place + 1] == UInt8(ascii: "[")
        else { return place }
        var end = place + 2
        while end < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[end]) { end += 1 }
        guard end > place + 2, end < text.count, text[end] == UInt8(ascii: "m") else { return place }
        return end + 1
    }

    private static func isEnd(_ text: Span<UInt8>, at place: Int) -> Bool {
        guard place < text.count else { return false }
        if text[place] == UInt8(ascii: "\n") { return true }
        return place + 2 < text.count && text[place] == UInt8(ascii: " ")
            && text[place + 1] == UInt8(ascii: "-") && text[place + 2] == UInt8(ascii: ">")
    }
}

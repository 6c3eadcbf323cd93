internal import SecretMemory
internal import Unix

/// The colours of names in a listing, from the variables that `tree` and `ls` read.
///
/// As in tree 2.1.0, a code is the text between `ESC[` and `m`, taken as it stands. What has no code gets no escape.
struct FileColors {
    /// A part of ``codes``, which goes before or behind a name.
    typealias Escape = Range<Int>

    /// What is coloured, in the order of `keys`.
    private enum Kind: Int {
        case normal, file, folder, link, pipe, socket, blockDevice, characterDevice, orphan, missing
        case setsUser, setsGroup, executable, stickyForOthers, forOthers, sticky

        static let keys = [
            "no", "fi", "di", "ln", "pi", "so", "bd", "cd", "or", "mi", "su", "sg", "ex", "tw", "ow", "st",
        ]
    }

    /// What the text of a variable says.
    private struct Setting {
        /// The code of each key.
        var codes: [String: [UInt8]] = [:]
        /// Endings of names with their codes, in their order.
        var endings: [(name: ArraySlice<UInt8>, code: [UInt8])] = []
        var colorsLinksAsTargets = false

        init(_ text: [UInt8]) {
            for field in text.split(separator: UInt8(ascii: ":")) {
                let parts = field.split(separator: UInt8(ascii: "="))
                guard parts.count >= 2 else { continue }
                let (key, code) = (parts[0], Array(parts[1]))
                if key.first == UInt8(ascii: "*") {
                    endings.append((key.dropFirst(), code))
                } else if key.elementsEqual("ln".utf8),
                    String(decoding: code, as: UTF8.self).lowercased() == "target"
                {
                    colorsLinksAsTargets = true
                } else {
                    codes[String(decoding: key, as: UTF8.self)] = code
                }
            }
        }
    }

    private struct Ending {
        let bytes: Range<Int>
        let escape: Escape
    }

    /// All escapes and endings, one behind the other: a large tree has a great many names, and an array of its own for
    /// each would be counted for each of them.
    private let codes: [UInt8]
    /// What goes before a name of each kind; `nil` for nothing.
    private let escapes: [Escape?]
    /// Endings of names, by their last byte, those that count first coming first.
    private let endings: [[Ending]]
    /// `ln=target`: a link is coloured as what it leads to.
    private let colorsLinksAsTargets: Bool
    /// What goes behind a coloured name.
    let reset: Escape

    /// Reads the colours.
    ///
    /// - Parameters:
    ///   - terminal: the value of `TERM`. Without it there are no colours, and the result is `nil`; its value does
    ///     not matter.
    ///   - treeColors: the value of `TREE_COLORS`.
    ///   - lsColors: the value of `LS_COLORS`, for when there is no `TREE_COLORS`. If the one that counts is empty,
    ///     the colours are tree's own.
    init?(terminal: [UInt8]?, treeColors: [UInt8]?, lsColors: [UInt8]?) {
        guard terminal != nil else { return nil }
        let text = treeColors ?? lsColors ?? []
        let setting = Setting(text.isEmpty ? Self.standard : text)
        let start = setting.codes["lc"] ?? Array("\u{1B}[".utf8)
        let end = setting.codes["rc"] ?? Array("m".utf8)
        var codes: [UInt8] = []
        func put(_ bytes: some Sequence<UInt8>) -> Range<Int> {
            let first = codes.count
            codes += bytes
            return first..<codes.count
        }
        reset = put(setting.codes["ec"] ?? start + (setting.codes["rs"] ?? Array("0".utf8)) + end)
        escapes = Kind.keys.map { setting.codes[$0].map { put(start + $0 + end) } }
        colorsLinksAsTargets = setting.colorsLinksAsTargets
        var endings = [[Ending]](repeating: [], count: 256)
        // What was set last counts first.
        for (name, code) in setting.endings.reversed() {
            let ending = Ending(bytes: put(name), escape: put(start + code + end))
            for last in name.last.map({ Int($0)...Int($0) }) ?? 0...255 { endings[last].append(ending) }
        }
        self.endings = endings
        self.codes = codes
    }

    /// Adds what an escape stands for to `text`.
    func append(_ escape: Escape, to text: inout [UInt8]) {
        text.append(codes.span.extracting(escape))
    }

    /// What goes before the name of `node`; `nil` for nothing, and then nothing goes behind it either.
    func escape(for node: FolderTree.Node, named name: Span<UInt8>) -> Escape? {
        guard node.mode.kind == .link else { return escape(for: node.mode, named: name) }
        if node.targetMode == nil, let escape = escape(.orphan) { return escape }
        return colorsLinksAsTargets ? escape(for: node.targetMode, named: name) : escape(.link)
    }

    /// What goes before the place that a link leads to; `nil` for nothing.
    func escape(forTargetOf node: FolderTree.Node, named target: Span<UInt8>) -> Escape? {
        if node.targetMode == nil, let escape = escape(.missing) { return escape }
        return escape(for: node.targetMode, named: target)
    }

    private func escape(_ kind: Kind) -> Escape? { escapes[kind.rawValue] }

    private func escape(for mode: FileMode?, named name: Span<UInt8>) -> Escape? {
        guard let mode else { return escape(.normal) }
        switch mode.kind {
        case .file:
            if mode.setsUser, let escape = escape(.setsUser) { return escape }
            if mode.setsGroup, let escape = escape(.setsGroup) { return escape }
            if mode.isExecutable, let escape = escape(.executable) { return escape }
            return ending(of: name) ?? escape(.file)
        case .folder:
            if mode.isSticky, mode.isWritableByOthers, let escape = escape(.stickyForOthers) { return escape }
            if mode.isSticky, !mode.isWritableByOthers, let escape = escape(.sticky) { return escape }
            if mode.isWritableByOthers, let escape = escape(.forOthers) { return escape }
            return escape(.folder)
        case .link: return escape(.link)
        case .pipe: return escape(.pipe)
        case .socket: return escape(.socket)
        case .characterDevice: return escape(.characterDevice)
        case .blockDevice: return escape(.blockDevice)
        case .other: return escape(.normal)
        }
    }

    private func ending(of name: Span<UInt8>) -> Escape? {
        guard !name.isEmpty else { return nil }
        let codes = codes.span
        for ending in endings[Int(name[name.count - 1])] where ending.bytes.count <= name.count {
            let start = name.count - ending.bytes.count
            if ending.bytes.indices.allSatisfy({ codes[$0] == name[start + $0 - ending.bytes.lowerBound] }) {
                return ending.escape
            }
        }
        return nil
    }

    /// The colours that tree has for `-C` when no variable sets any.
    private static let standard: [UInt8] = {
        let kinds =
            "no=00:rs=0:fi=00:di=01;34:ln=01;36:pi=40;33:so=01;35:bd=40;33;01:cd=40;33;01:or=40;31;01:ex=01;32"
        let families = [
            ("01;32", "bat BAT btm BTM cmd CMD com COM dll DLL exe EXE"),
            ("01;31", "arj bz2 deb gz lzh rpm tar taz tb2 tbz2 tbz tgz tz2 z Z zip ZIP zoo"),
            (
                "01;35",
                """
                asf ASF avi AVI bmp BMP flac FLAC gif GIF jpg JPG jpeg JPEG m2a M2a m2v M2V mov MOV mp3 MP3 mpeg \
                MPEG mpg MPG ogg OGG ppm rm RM tga TGA tif TIF wav WAV wmv WMV xbm xpm
                """
            ),
        ]
        let endings = families.flatMap { code, names in
            names.split(separator: " ").map { "*.\($0)=\(code)" }
        }
        return Array(([kinds] + endings).joined(separator: ":").utf8)
    }()
}

internal import Unix

/// The colours of names in a listing, from the variables that `tree` and `ls` read.
///
/// As in tree 2.1.0, a code is the text between `ESC[` and `m`, taken as it stands. What has no code gets no escape.
struct FileColors {
    /// What starts and ends every code, and what goes behind a coloured name.
    private let start: [UInt8]
    private let end: [UInt8]
    let reset: [UInt8]

    private let codes: [String: [UInt8]]
    /// `ln=target`: a link is coloured as what it leads to.
    private let colorsLinksAsTargets: Bool

    /// Endings of names and their codes, by their last byte, those that count first coming first.
    private let endings: [[Ending]]

    private struct Ending {
        let bytes: ArraySlice<UInt8>
        let code: [UInt8]
    }

    /// Reads the colours.
    ///
    /// - Parameters:
    ///   - terminal: the value of `TERM`. Without it there are no colours, and the result is `nil`; its value does
    ///     not matter.
    ///   - treeColors: the value of `TREE_COLORS`.
    ///   - lsColors: the value of `LS_COLORS`, for when there is no `TREE_COLORS`. If that which counts is empty, the
    ///     colours are tree's own.
    init?(terminal: [UInt8]?, treeColors: [UInt8]?, lsColors: [UInt8]?) {
        guard terminal != nil else { return nil }
        var setting = treeColors ?? lsColors ?? []
        if setting.isEmpty { setting = Self.standard }

        var codes: [String: [UInt8]] = [:]
        var endings: [Ending] = []
        var colorsLinksAsTargets = false
        for field in setting.split(separator: UInt8(ascii: ":")) {
            let parts = field.split(separator: UInt8(ascii: "="))
            guard parts.count >= 2 else { continue }
            let (key, code) = (Array(parts[0]), Array(parts[1]))
            if key[0] == UInt8(ascii: "*") {
                endings.append(Ending(bytes: key.dropFirst(), code: code))
            } else if key.elementsEqual("ln".utf8),
                String(decoding: code, as: UTF8.self).lowercased() == "target"
            {
                colorsLinksAsTargets = true
            } else {
                codes[String(decoding: key, as: UTF8.self)] = code
            }
        }
        self.codes = codes
        self.colorsLinksAsTargets = colorsLinksAsTargets
        start = codes["lc"] ?? Array("\u{1B}[".utf8)
        end = codes["rc"] ?? Array("m".utf8)
        reset = codes["ec"] ?? start + (codes["rs"] ?? Array("0".utf8)) + end

        // What was set last counts first.
        var table = [[Ending]](repeating: [], count: 256)
        for ending in endings.reversed() {
            if let last = ending.bytes.last {
                table[Int(last)].append(ending)
            } else {
                for byte in table.indices { table[byte].append(ending) }
            }
        }
        self.endings = table
    }

    /// What goes before the name of `node`; `nil` for nothing, and then nothing goes behind it either.
    func escape(for node: FolderTree.Node, named name: ArraySlice<UInt8>) -> [UInt8]? {
        guard node.mode.kind == .link else { return escape(for: node.mode, named: name) }
        if node.targetMode == nil, let code = codes["or"] { return start + code + end }
        guard colorsLinksAsTargets else { return codes["ln"].map { start + $0 + end } }
        return escape(for: node.targetMode, named: name)
    }

    /// What goes before the place that a link leads to; `nil` for nothing.
    func escape(forTargetOf node: FolderTree.Node, named target: ArraySlice<UInt8>) -> [UInt8]? {
        if node.targetMode == nil, let code = codes["mi"] { return start + code + end }
        return escape(for: node.targetMode, named: target)
    }

    private func escape(for mode: FileMode?, named name: ArraySlice<UInt8>) -> [UInt8]? {
        code(for: mode, named: name).map { start + $0 + end }
    }

    private func code(for mode: FileMode?, named name: ArraySlice<UInt8>) -> [UInt8]? {
        guard let mode else { return codes["no"] }
        switch mode.kind {
        case .file:
            if mode.setsUser, let code = codes["su"] { return code }
            if mode.setsGroup, let code = codes["sg"] { return code }
            if mode.isExecutable, let code = codes["ex"] { return code }
            return endingCode(for: name) ?? codes["fi"]
        case .folder:
            if mode.isSticky, mode.isWritableByOthers, let code = codes["tw"] { return code }
            if mode.isSticky, !mode.isWritableByOthers, let code = codes["st"] { return code }
            if mode.isWritableByOthers, let code = codes["ow"] { return code }
            return codes["di"]
        case .link: return codes["ln"]
        case .pipe: return codes["pi"]
        case .socket: return codes["so"]
        case .characterDevice: return codes["cd"]
        case .blockDevice: return codes["bd"]
        case .other: return codes["no"]
        }
    }

    private func endingCode(for name: ArraySlice<UInt8>) -> [UInt8]? {
        guard let last = name.last else { return nil }
        return endings[Int(last)].first { name.suffix($0.bytes.count) == $0.bytes }?.code
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
        let endings = families.flatMap { code, names in names.split(separator: " ").map { "*.\($0)=\(code)" }
        }
        return Array(([kinds] + endings).joined(separator: ":").utf8)
    }()
}

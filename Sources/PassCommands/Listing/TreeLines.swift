/// The lines that lead to a name in a tree, in one encoding.
struct TreeLines {
    /// Leads to a name that others follow in the same folder.
    let branch: [UInt8]
    /// Leads to the last name in a folder.
    let lastBranch: [UInt8]
    /// Leads past the names below the folder of a `branch`.
    let past: [UInt8]
    /// Leads past the names below the folder of a `lastBranch`.
    let nothing: [UInt8]

    private init(_ branch: [UInt8], _ lastBranch: [UInt8], _ past: [UInt8]) {
        // tree puts a space behind each.
        self.branch = branch + [0x20]
        self.lastBranch = lastBranch + [0x20]
        self.past = past + [0x20]
        nothing = Array("    ".utf8)
    }

    private init(_ branch: String, _ lastBranch: String, _ past: String) {
        self.init(Array(branch.utf8), Array(lastBranch.utf8), Array(past.utf8))
    }

    /// The lines for the encoding that `TREE_CHARSET` names or, without it, for that of the locale.
    ///
    /// - Parameters:
    ///   - charset: the value of `TREE_CHARSET`; `nil` when it is not set.
    ///   - codeset: the name of the locale's encoding.
    /// - Source: `tree --charset` of tree 2.1.0, which draws the Asian families with shorter lines than tree 2.3.
    init(charset: [UInt8]?, codeset: String) {
        let locale = ["UTF-8", "utf8"].contains(codeset) ? "utf-8" : ""
        let name = charset.map { String(decoding: $0, as: UTF8.self).lowercased() } ?? locale
        self = Self.families.first { $0.names.contains(name) }?.lines ?? Self.ascii
    }

    /// For everything that is not listed below.
    private static let ascii = TreeLines("|--", "`--", "|  ")

    // In UTF-8 the line past others has two no-break spaces.
    private static let families: [(names: [String], lines: TreeLines)] = [
        (["utf-8", "utf8"], TreeLines("├──", "└──", "│\u{A0}\u{A0}")),
        (latin, TreeLines("|--", "&middot;--", "|  ")),
        (
            ["shift_jis", "ms_kanji", "csshiftjis"],
            TreeLines([0x84, 0xA5], [0x84, 0xA4], [0x84, 0xA0, 0x20])
        ),
        (
            ["euc-jp", "extended_unix_code_packed_format_for_japanese", "cseucpkdfmtjapanese"],
            TreeLines([0xA8, 0xA7], [0xA8, 0xA6], [0xA8, 0xA2, 0x20])
        ),
        (["euc-kr", "cseuckr"], TreeLines([0xA6, 0xA7], [0xA6, 0xA6], [0xA6, 0xA2, 0x20])),
        (
            ["iso-2022-jp", "csiso2022jp", "iso-2022-jp-2", "csiso2022jp2"],
            TreeLines("\u{1B}$B('\u{1B}(B", "\u{1B}$B(&\u{1B}(B", "\u{1B}$B(\"\u{1B}(B ")
        ),
        (codePages, TreeLines([0xC3, 0xC4, 0xC4], [0xC0, 0xC4, 0xC4], [0xB3, 0x20, 0x20])),
        (["gb2312", "csgb2312"], TreeLines([0xA9, 0xC0], [0xA9, 0xB8], [0xA9, 0xA6, 0x20])),
        (["big5", "csbig5"], TreeLines([0xA2, 0x75], [0xA2, 0x7C], [0xA2, 0x78, 0x20])),
        (
            ["koi8-r", "cskoi8r", "koi8-u"],
            TreeLines([0x86, 0x80, 0x80], [0x84, 0x80, 0x80], [0x81, 0x20, 0x20])
        ),
    ]

    private static let latin = [
        "iso-8859-1", "iso-8859-1:1987", "iso_8859-1", "latin1", "l1", "ibm819", "cp819", "csisolatin1",
        "iso-8859-3", "iso_8859-3:1988", "iso_8859-3", "latin3", "ls", "csisolatin3",
        "iso-8859-7", "iso_8859-7:1987", "iso_8859-7", "elot_928", "ecma-118", "greek", "greek8",
        "csisolatingreek", "iso-8859-8", "iso_8859-8:1988", "iso-ir-138", "iso_8859-8", "hebrew",
        "csisolatinhebrew", "iso-8859-9", "iso_8859-9:1989", "iso-ir-148", "iso_8859-9", "latin5", "l5",
        "csisolatin5",
    ]

    private static let codePages = [
        "ibm437", "cp437", "437", "cspc8codepage437", "ibm852", "cp852", "852", "cspcp852", "ibm863", "cp863",
        "863", "csibm863", "ibm855", "cp855", "855", "csibm855", "ibm865", "cp865", "865", "csibm865",
        "ibm866",
        "cp866", "866", "csibm866", "ibm850", "cp850", "850", "cspc850multilingual", "ibm00858", "ccsid00858",
        "cp00858", "pc-multilingual-850+euro", "ibm869", "cp869", "869", "cp-gr", "csibm869",
    ]
}

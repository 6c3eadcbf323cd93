/// The class of an item, with the schema of its attributes.
enum ItemClass: String, CaseIterable, Sendable {
    case genericPassword = "genp"
    case internetPassword = "inet"
    case certificate = "cert"
    case key = "keys"
    /// A certificate with its key: it can be asked for, but there is none here.
    case identity = "idnt"

    /// Whether its items are named by attributes in the path, and not by a UUID.
    var isPassword: Bool { self == .genericPassword || self == .internetPassword }

    /// Its attributes, in the order in which an entry lists them.
    var attributes: [ItemAttribute] {
        switch self {
        case .genericPassword: Self.genericSchema
        case .internetPassword: Self.internetSchema
        case .certificate: Self.certificateSchema
        case .key: Self.keySchema
        case .identity: Self.identitySchema
        }
    }

    /// What it knows of `code`, or nil when its items have no such attribute.
    func attribute(_ code: AttributeCode) -> ItemAttribute? { tables.byCode[code] }

    /// The attribute whose field has this name.
    func attribute(field: String) -> ItemAttribute? { tables.byField[field] }

    /// The lines of a schema by what they are looked up by, which happens many times for each item.
    private struct Tables {
        let byCode: [AttributeCode: ItemAttribute]
        let byField: [String: ItemAttribute]

        init(_ schema: [ItemAttribute]) {
            // An identity has the attributes of two classes; the first line for each code counts.
            byCode = Dictionary(schema.map { ($0.code, $0) }) { first, _ in first }
            let named = schema.compactMap { line in line.field.map { ($0, line) } }
            byField = Dictionary(named) { first, _ in first }
        }
    }

    private var tables: Tables {
        switch self {
        case .genericPassword: Self.genericTables
        case .internetPassword: Self.internetTables
        case .certificate: Self.certificateTables
        case .key: Self.keyTables
        case .identity: Self.identityTables
        }
    }

    private static let genericTables = Tables(genericSchema)
    private static let internetTables = Tables(internetSchema)
    private static let certificateTables = Tables(certificateSchema)
    private static let keyTables = Tables(keySchema)
    private static let identityTables = Tables(identitySchema)
}

// Apple's tables (SecItemSchema.c). Rare attributes have their four letters as field name.
extension ItemClass {
    private static let empty = AttributeValue.text([])

    private static func rare(
        _ kind: ValueKind,
        _ codes: AttributeCode...,
        isKey: Bool = false,
        fallback: AttributeValue? = nil
    ) -> [ItemAttribute] {
        codes.map { .init($0, kind, .field("attr-\($0.rawValue)"), isKey: isKey, fallback: fallback) }
    }

    private static func common(accessible: Accessible) -> [ItemAttribute] {
        [
            .init(.created, .date, .field("created")),
            .init(.modified, .date, .field("modified")),
            .init("labl", .blob, .field("label")),
            .init(.group, .string, .location(field: "access-group"), isKey: true),
            .init(.synchronizable, .number, .location(field: nil), isKey: true, fallback: .number(0)),
            .init(.accessible, .accessible, .field("accessible"), fallback: .text(accessible.rawValue)),
            .init(.accessControl, .accessControl, .field("access-control")),
            // Apple keeps these for itself: a tombstone, a user, a digest and an identifier of its own.
            .init("tomb", .number, .nowhere, fallback: .number(0)),
            .init("musr", .user, .nowhere, fallback: .data([])),
            .init("sha1", .digest, .nowhere),
            .init("UUID", .string, .nowhere),
        ] + rare(.blob, "alis", "pcsk") + rare(.string, "vwht", "tkid", "ggrp")
            + rare(.number, "sysb", "pcss") + rare(.blob, "pcsi")
    }

    private static let descriptive: [ItemAttribute] =
        [
            .init("desc", .blob, .field("description")),
            .init("icmt", .blob, .field("comment")),
            .init("crtr", .number, .field("creator")),
            .init("type", .number, .field("type")),
            .init("invi", .number, .field("invisible")),
            .init("nega", .number, .field("negative")),
        ] + rare(.blob, "prot") + rare(.number, "scrp", "cusi")

    private static let genericSchema: [ItemAttribute] =
        common(accessible: .whenUnlocked) + [
            .init(.service, .blob, .component(field: "service"), isKey: true, fallback: empty),
            .init(.account, .blob, .component(field: "account"), isKey: true, fallback: empty),
            .init("gena", .blob, .field("generic")),
        ] + descriptive

    private static let internetSchema: [ItemAttribute] =
        common(accessible: .whenUnlocked) + [
            .init(.server, .blob, .component(field: "server"), isKey: true, fallback: empty),
            .init(.account, .blob, .component(field: "account"), isKey: true, fallback: empty),
            .init("sdmn", .blob, .mark(field: "security-domain"), isKey: true, fallback: empty),
            .init("ptcl", .number, .numberMark(field: "protocol"), isKey: true, fallback: .number(0)),
            .init("atyp", .blob, .mark(field: "authentication-type"), isKey: true, fallback: empty),
            .init("port", .number, .numberMark(field: "port"), isKey: true, fallback: .number(0)),
            .init("path", .blob, .mark(field: "path"), isKey: true, fallback: empty),
        ] + descriptive + rare(.secretData, "binn", "bini", "bin0", "bin1", "bin2", "bin3")

    private static let certificateSchema: [ItemAttribute] =
        common(accessible: .always)
        + rare(.number, "ctyp", isKey: true, fallback: .number(0))
        + rare(.data, "issr", "slnr", isKey: true, fallback: .data([]))
        + rare(.number, "cenc") + rare(.data, "subj", "skid", "pkhh")

    private static let keySchema: [ItemAttribute] =
        common(accessible: .whenUnlocked)
        + rare(.number, "kcls", "type", "crtr", "bsiz", "esiz", isKey: true, fallback: .number(0))
        + rare(.data, "klbl", isKey: true, fallback: .data([]))
        + rare(.blob, "atag", isKey: true, fallback: empty)
        + rare(.date, "sdat", "edat", isKey: true, fallback: .date(.reference))
        + rare(
            .number,
            "perm",
            "priv",
            "modi",
            "sens",
            "asen",
            "extr",
            "next",
            "encr",
            "decr",
            "drve",
            "sign"
        )
        + rare(.number, "vrfy", "snrc", "vyrc", "wrap", "unwp")

    private static let identitySchema: [ItemAttribute] = keySchema + certificateSchema
}

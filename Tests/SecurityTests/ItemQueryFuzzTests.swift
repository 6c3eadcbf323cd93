import Foundation
import TestSupport
import Testing

@testable import Security

/// Random dictionaries, most of them with something wrong: no crash, and no item that does not match.
@Suite struct ItemQueryFuzzTests {
    private static let keys = [
        "class", "acct", "svce", "srvr", "port", "ptcl", "path", "sdmn", "atyp", "labl", "gena", "agrp",
        "sync", "pdmn",
        "accc", "cdat", "mdat", "crtr", "invi", "musr", "sha1", "UUID", "tomb", "vwht", "binn", "m_Limit",
        "m_Foo",
        "m_HostOrSubdomainOfHost", "m_ValidOnDate", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef",
        "v_Data",
        "v_PersistentRef", "v_Ref", "u_AuthUI", "u_AuthCtx", "u_OpPrompt", "nleg", "clip", "foo", "x", "",
        "\u{0}\u{0}\u{0}\u{0}",
        "kcls", "klbl", "atag", "sdat", "issr", "slnr", "ctyp", "é", "clas", "🐘",
    ]

    private static func value(_ random: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            return ["genp", "inet", "cert", "keys", "idnt", "apls", "junk"].randomElement(using: &random)
                ?? ""
        case 1: return "a"
        case 2: return NSString("s")
        case 3: return ""
        case 4: return Data("a".utf8)
        case 5: return Data()
        case 6: return Data("genp".utf8) + Data(count: Int.random(in: 0..<40, using: &random))
        case 7: return Bool.random(using: &random)
        case 8: return Int.random(in: -2...500, using: &random)
        case 9: return NSNumber(value: Double.random(in: -1...1, using: &random))
        case 10: return UInt64.max
        case 11: return Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -5...5, using: &random)))
        case 12: return Date(timeIntervalSinceReferenceDate: .infinity)
        case 13: return NSNull()
        case 14: return ["a", 1] as [Any]
        case 15: return ["a": 1]
        case 16:
            return SecAccessControl(
                AccessRule(
                    protection: .whenUnlocked,
                    flags: [nil, 0, 1].randomElement(using: &random) ?? nil
                )
            )
        case 17: return AnyHashable("a")
        case 18: return Optional<String>.none as Any
        default:
            return [
                "syna", "ak", "ck", "m_LimitAll", "m_LimitOne", "u_AuthUIF", "u_AuthUIS", "443", "http",
                "e\u{301}",
            ]
            .randomElement(using: &random) ?? ""
        }
    }

    private static func dictionary(_ random: inout SeededGenerator) -> [String: Any] {
        var dictionary: [String: Any] = [
            "class": ["genp", "genp", "inet", "cert", "keys"].randomElement(using: &random) ?? ""
        ]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            dictionary[keys.randomElement(using: &random) ?? ""] = value(&random)
        }
        return dictionary
    }

    /// The statuses that a query may be refused with.
    private static let refusals: Set<OSStatus> = [
        errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecMissingEntitlement, errSecUnimplemented,
    ]

    @Test func everyDictionaryIsRefusedWithAKnownStatusOrFindsOnlyWhatMatches() throws {
        var random = SeededGenerator(seed: 25_303)
        let items = try Self.items()
        var accepted = 0
        for round in 0..<Fuzz.rounds {
            let dictionary = Self.dictionary(&random)
            let operation =
                [ItemQuery.Operation.add, .copy, .update, .delete].randomElement(using: &random) ?? .copy
            do throws(StatusError) {
                let query = try ItemQuery(dictionary as NSDictionary, for: operation)
                accepted += 1
                for item in items where query.admits(item.location) && item.matches(query.valuesOutsidePath) {
                    let mismatch = Self.mismatch(item, dictionary, operation)
                    #expect(
                        mismatch == nil,
                        "round \(round): \(dictionary) finds an item in spite of \(mismatch ?? "")"
                    )
                }
            } catch {
                #expect(Self.refusals.contains(error.status), "round \(round): \(dictionary)")
            }
            do throws(StatusError) {
                _ = try ItemChanges(dictionary as NSDictionary, to: .genericPassword)
            } catch {
                #expect(Self.refusals.contains(error.status), "round \(round): \(dictionary)")
            }
        }
        #expect(accepted > Fuzz.rounds / 20)
    }

    private static func items() throws -> [KnownItem] {
        var items: [KnownItem] = []
        for (query, label) in [
            (genp(["acct": "a", "svce": "s"]), "a"), (genp(["acct": "", "svce": "a"]), ""),
            (genp(["acct": "e\u{301}"]), "x"),
            (inet(["srvr": "a", "acct": "a", "port": 443, "ptcl": "http"]), "a"),
            (inet(["srvr": "s", "sync": true]), "s"),
        ] as [([String: Any], String)] {
            let query = try ItemQuery(query as NSDictionary, for: .add)
            var location = ItemLocation(itemClass: query.itemClass)
            var attributes = ItemAttributes(identifier: UUID())
            location.isSynchronizable = query.synchronizable == true
            for (code, value) in query.values {
                let line = try #require(query.itemClass.attribute(code))
                attributes.set(line, to: value, at: &location)
            }
            attributes.values["labl"] = .text(label)
            let date = ItemDate(microseconds: 978_307_200_000_000)
            attributes.values[.created] = .date(date)
            items.append(KnownItem(location: location, attributes: attributes, fileDate: date))
        }
        return items
    }

    /// A key of `dictionary` that speaks against `item`, judged without the code that is tested.
    private static func mismatch(
        _ item: KnownItem,
        _ dictionary: [String: Any],
        _ operation: ItemQuery.Operation
    ) -> String? {
        let path = (try? item.location.path()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        // A class that is no string counts as none, and then a reference tells it.
        let itemClass = dictionary["class"].flatMap(text) ?? "genp"
        let isToldByReference = dictionary["v_PersistentRef"] != nil && !(dictionary["class"] is String)
        if !isToldByReference, itemClass != (path.hasPrefix("%inet/") ? "inet" : "genp") { return "class" }
        var own: [String: String] = [
            "labl": String(decoding: item.attributes.values["labl"]?.bytes ?? [], as: UTF8.self)
        ]
        let known: [String: [String: String]] = [
            "s/a": ["acct": "a", "svce": "s"], "a": ["acct": "", "svce": "a"],
            "%/e\u{301}": ["acct": "e\u{301}", "svce": ""],
            "%inet/a/a%ptcl=http%port=443": [
                "srvr": "a", "acct": "a", "port": "443", "ptcl": "http", "path": "", "sdmn": "", "atyp": "",
            ],
            "%inet/s/%%sync": [
                "srvr": "s", "acct": "", "port": "0", "ptcl": "0", "path": "", "sdmn": "", "atyp": "",
            ],
        ]
        own.merge(known[path] ?? [:]) { $1 }
        for (key, value) in own {
            guard let given = dictionary[key] else { continue }
            guard let text = text(given) else { return key }
            if Array(text.utf8) != Array(value.utf8) { return key }
        }
        if operation != .add, dictionary["agrp"].map({ text($0) != "default" }) == true { return "agrp" }
        return nil
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let data as Data: String(decoding: data, as: UTF8.self)
        case let bool as Bool where type(of: value) == Bool.self: bool ? "1" : "0"
        case let number as NSNumber: number.stringValue
        case let hashable as AnyHashable: hashable.base as? String
        default: nil
        }
    }
}

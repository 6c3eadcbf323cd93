import Foundation
import Testing

@testable import Security

/// One dictionary, and what becomes of it.
struct QueryCase: CustomTestStringConvertible, @unchecked Sendable {
    // Unchecked: the values are never changed.
    let testDescription: String
    let query: [String: Any]
    let status: OSStatus

    init(_ description: String, _ query: [String: Any], _ status: OSStatus) {
        testDescription = description
        self.query = query
        self.status = status
    }
}

@Suite struct ItemQueryTests {
    private static var genp: [String: Any] { ["class": "genp"] }
    private static var inet: [String: Any] { ["class": "inet"] }

    private static func generic(_ more: [String: Any]) -> [String: Any] { genp.merging(more) { $1 } }
    private static func internet(_ more: [String: Any]) -> [String: Any] { inet.merging(more) { $1 } }

    private static func status(_ query: [String: Any], _ operation: ItemQuery.Operation) -> OSStatus {
        do throws(StatusError) {
            _ = try ItemQuery(query as NSDictionary, for: operation)
            return errSecSuccess
        } catch {
            return error.status
        }
    }

    /// Statuses that do not depend on the call; the numbers are those of the conformance cases.
    static let everywhere: [QueryCase] = [
        .init("a class alone", genp, 0),
        .init("17, 105: no class", ["acct": "a"], errSecParam),
        .init("a class that is no string", ["class": 5], errSecParam),
        .init("an unknown class", ["class": "abcd"], errSecNoSuchClass),
        .init("AppleShare", ["class": "apls"], errSecNoSuchClass),
        .init("16: a server in a generic password", generic(["srvr": "h"]), errSecNoSuchAttr),
        .init("16: a service in an internet password", internet(["svce": "s"]), errSecNoSuchAttr),
        .init("generic in an internet password", internet(["gena": Data()]), errSecNoSuchAttr),
        .init("15: an application tag in a certificate", ["class": "cert", "atag": "x"], errSecNoSuchAttr),
        .init("legacy access", generic(["acls": "x"]), errSecNoSuchAttr),
        .init("salt", generic(["salt": Data()]), errSecNoSuchAttr),
        .init("prf", generic(["prf": "hsha1"]), errSecParam),
        .init("rounds", generic(["rounds": 1]), errSecParam),
        .init("37: clip", generic(["clip": 1]), errSecParam),
        .init("39: persistref", generic(["persistref": Data()]), errSecParam),
        .init("39: foo", generic(["foo": 1]), errSecParam),
        .init("one letter", generic(["x": 1]), errSecParam),
        .init("an empty key", generic(["": 1]), errSecParam),
        .init("a key of no kind", generic(["foobar": 1]), errSecParam),
        .init("an unknown class key", generic(["classy": 1]), errSecParam),
        .init("an unknown use key", generic(["u_Foo": 1]), errSecParam),
        .init("an unknown result key", generic(["r_Foo": true]), errSecParam),
        .init("32: an account that is a date", generic(["acct": Date()]), errSecParam),
        .init("32: an account that is an array", generic(["acct": ["a"]]), errSecParam),
        .init("32: an account that is a Boolean", generic(["acct": true]), errSecParam),
        .init("32: an account that is a number", generic(["acct": 5]), 0),
        .init("an account that is a fraction", generic(["acct": 1.5]), errSecParam),
        .init("an account that is null", generic(["acct": NSNull()]), errSecParam),
        .init("an account that is data", generic(["acct": Data([0xFF])]), 0),
        .init("29: a port of no digits", internet(["port": ""]), 0),
        .init("a port that is data", internet(["port": Data()]), errSecParam),
        .init("a protocol", internet(["ptcl": "http"]), 0),
        .init("a creation date that is text", generic(["cdat": "today"]), errSecParam),
        .init("34: an unknown protection", generic(["pdmn": "zz"]), errSecParam),
        .init("a protection until reboot", generic(["pdmn": "f"]), errSecParam),
        .init("22: an access control that is text", generic(["accc": "ak"]), errSecParam),
        .init("a digest of 19 bytes", generic(["sha1": Data(count: 19)]), errSecParam),
        .init("a digest of 20 bytes", generic(["sha1": Data(count: 20)]), 0),
        .init("a user of 16 bytes", generic(["musr": Data(count: 16)]), 0),
        .init("a user of 15 bytes", generic(["musr": Data(count: 15)]), errSecParam),
        .init("a user that is null", generic(["musr": NSNull()]), 0),
        .init("a group that is a number", generic(["agrp": 5]), errSecMissingEntitlement),
        .init("a group without a name", generic(["agrp": ""]), errSecMissingEntitlement),
        .init("synchronizable: 2", generic(["sync": 2]), errSecParam),
        .init("synchronizable: any", generic(["sync": "syna"]), 0),
        .init("synchronizable: text", generic(["sync": "yes"]), errSecParam),
        .init("the data protection keychain", generic(["nleg": true]), 0),
        .init("an item list", generic(["u_ItemList": []]), errSecParam),
        .init("a keychain", generic(["u_Keychain": 1]), errSecParam),
        .init("a prompt", generic(["u_OpPrompt": "Please"]), 0),
        .init("a context", generic(["u_AuthCtx": NSObject()]), 0),
        .init(
            "a context and a credential",
            generic(["u_AuthCtx": NSObject(), "u_CredRef": Data()]),
            errSecParam
        ),
        .init("authentication UI: fail", generic(["u_AuthUI": "u_AuthUIF"]), 0),
        .init("authentication UI that is a number", generic(["u_AuthUI": 1]), errSecParam),
        .init("a value reference", generic(["v_Ref": NSObject()]), errSecParam),
        .init("an unknown value", generic(["v_Foo": 1]), errSecParam),
        .init("a list of items to match", generic(["m_ItemList": [Data()]]), errSecParam),
        .init("a reference of 5 bytes", generic(["v_PersistentRef": Data(count: 5)]), errSecParam),
        .init("a reference that is text", generic(["v_PersistentRef": "genp"]), errSecParam),
    ]

    @Test(arguments: everywhere, [ItemQuery.Operation.add, .copy, .update, .delete])
    func statusesOfEveryCall(_ one: QueryCase, _ operation: ItemQuery.Operation) {
        #expect(Self.status(one.query, operation) == one.status)
    }

    private static let reference = Data("genp".utf8) + Data(1...16)

    static let add: [QueryCase] = [
        .init("19: data that is text", generic(["v_Data": "x"]), errSecParam),
        .init("data that is null", generic(["v_Data": NSNull()]), errSecParam),
        .init("data", generic(["v_Data": Data()]), 0),
        .init("match keys are removed", generic(["m_Limit": "m_LimitSome"]), 0),
        .init("result keys are Booleans", generic(["r_Data": "yes"]), errSecParam),
        .init("33, as far as Linux can tell: a number", generic(["r_Data": 1]), 0),
        .init("skipping is for copying", generic(["u_AuthUI": "u_AuthUIS"]), errSecParam),
        .init("a modification date that is text", generic(["mdat": "today"]), errSecParam),
        .init("a reference is overwritten", generic(["v_PersistentRef": reference]), 0),
        .init(
            "35: protection beside an access control",
            generic(["pdmn": "ck", "accc": SecAccessControl(AccessRule(protection: .whenUnlocked, flags: 0))]
            ),
            errSecParam
        ),
        .init(
            "the access control of an answer and its protection",
            generic([
                "pdmn": "ak", "accc": SecAccessControl(AccessRule(protection: .whenUnlocked, flags: nil)),
            ]),
            0
        ),
        .init(
            "the access control of an answer and another protection",
            generic([
                "pdmn": "ck", "accc": SecAccessControl(AccessRule(protection: .whenUnlocked, flags: nil)),
            ]),
            errSecParam
        ),
        .init(
            "36: synchronizable with an access control",
            generic(["sync": true, "accc": SecAccessControl(AccessRule(protection: .whenUnlocked, flags: 0))]
            ),
            errSecParam
        ),
    ]

    @Test(arguments: add)
    func statusesOfAdd(_ one: QueryCase) {
        #expect(Self.status(one.query, .add) == one.status)
    }

    static let copy: [QueryCase] = [
        .init("data is no filter", generic(["v_Data": "x"]), 0),
        .init("52: an unknown limit", generic(["m_Limit": "m_LimitSome"]), errSecParam),
        .init("a limit of a fraction", generic(["m_Limit": 1.5]), errSecParam),
        .init("a negative limit", generic(["m_Limit": -1]), 0),
        .init("72: skipping", generic(["u_AuthUI": "u_AuthUIS"]), 0),
        .init("76: an unknown match key", generic(["m_Foo": 1]), 0),
        .init("case-insensitive", generic(["m_CaseInsensitive": true]), 0),
        .init("a policy", generic(["m_Policy": 1]), errSecUnimplemented),
        .init("issuers", generic(["m_Issuers": [Data()]]), errSecUnimplemented),
        .init(
            "68: a host for a generic password",
            generic(["m_HostOrSubdomainOfHost": "h"]),
            errSecUnimplemented
        ),
        .init("a host that is a number", internet(["m_HostOrSubdomainOfHost": 1]), errSecParam),
        .init("valid on a text", generic(["m_ValidOnDate": "x"]), errSecParam),
        .init("valid on null", generic(["m_ValidOnDate": NSNull()]), 0),
        .init("trusted only: text", generic(["m_TrustedOnly": "x"]), errSecParam),
        .init("an e-mail address that is a number", generic(["m_EmailAddressIfPresent": 1]), errSecParam),
        .init("a reference without a class", ["v_PersistentRef": reference], 0),
        .init(
            "58: a reference of another class",
            internet(["v_PersistentRef": reference]),
            errSecNoSuchClass
        ),
        .init("a reference and an attribute", ["v_PersistentRef": reference, "acct": "a"], errSecParam),
        .init("a reference and a group", ["v_PersistentRef": reference, "agrp": "g"], errSecParam),
        .init(
            "a reference and what macOS removes",
            ["v_PersistentRef": reference, "sync": true, "mdat": 1],
            0
        ),
        .init(
            "more than 128 keys",
            Dictionary(uniqueKeysWithValues: (0..<128).map { ("m_\($0)x", 1 as Any) }).merging(genp) { $1 },
            errSecParam
        ),
    ]

    @Test(arguments: copy)
    func statusesOfCopy(_ one: QueryCase) {
        #expect(Self.status(one.query, .copy) == one.status)
    }

    static let updateAndDelete: [QueryCase] = [
        .init("85: result keys are removed", generic(["r_Attributes": true, "r_Data": "x"]), 0),
        .init("95, 102: a limit is removed", generic(["m_Limit": "m_LimitAll"]), 0),
        .init("93: data is no filter", generic(["v_Data": Data()]), 0),
        .init("72: skipping is for copying", generic(["u_AuthUI": "u_AuthUIS"]), errSecParam),
        .init("a reference and an attribute", ["v_PersistentRef": reference, "acct": "a"], 0),
        .init("a host would be passed over", internet(["m_HostOrSubdomainOfHost": "h"]), errSecParam),
    ]

    @Test(arguments: updateAndDelete, [ItemQuery.Operation.update, .delete])
    func statusesOfUpdateAndDelete(_ one: QueryCase, _ operation: ItemQuery.Operation) {
        #expect(Self.status(one.query, operation) == one.status)
    }

    static let changes: [QueryCase] = [
        .init("88: none", [:], 0),
        .init("80: data that is text", ["v_Data": "x"], errSecParam),
        .init("80: data that is null", ["v_Data": NSNull()], errSecParam),
        .init("87: a class", ["class": "genp"], errSecNoSuchAttr),
        .init("87: a result key", ["r_Data": true], errSecNoSuchAttr),
        .init("87: a limit", ["m_Limit": "m_LimitAll"], errSecNoSuchAttr),
        .init("87: a reference", ["v_PersistentRef": reference], errSecNoSuchAttr),
        .init("a use key", ["u_AuthUI": "u_AuthUIF"], errSecNoSuchAttr),
        .init("37: clip", ["clip": 1], errSecParam),
        .init("97: the data protection keychain", ["nleg": true, "labl": "x"], 0),
        .init("a label that is null", ["labl": NSNull()], errSecParam),
        .init("a user", ["musr": Data()], 0),
        .init("a modification date", ["mdat": Date()], 0),
        .init("another class' attribute", ["srvr": "h"], errSecNoSuchAttr),
        .init("both kinds of synchronizable", ["sync": "syna"], errSecParam),
    ]

    @Test(arguments: changes)
    func statusesOfChanges(_ one: QueryCase) {
        var status = errSecSuccess
        do throws(StatusError) {
            _ = try ItemChanges(one.query as NSDictionary, to: .genericPassword)
        } catch {
            status = error.status
        }
        #expect(status == one.status)
    }

    @Test func valuesAreNormalisedWhateverTheyAreWrappedIn() throws {
        let optional: Any = Optional("alice") as Any
        for account in ["alice", NSString(string: "alice"), AnyHashable("alice"), optional] as [Any] {
            let query = try ItemQuery(Self.generic(["acct": account]) as NSDictionary, for: .copy)
            #expect(query.values[.account] == .text("alice"))
        }
        for truth in [true, NSNumber(value: true), kCFBooleanTrue as Any, AnyHashable(true), 1] as [Any] {
            let query = try ItemQuery(Self.generic(["r_Data": truth]) as NSDictionary, for: .copy)
            #expect(query.wanted == .data)
        }
        let query = try ItemQuery(
            Self.internet(["port": "0443", "ptcl": "http"]) as NSDictionary,
            for: .copy
        )
        #expect(query.values["port"] == .number(443))
        #expect(query.values["ptcl"] == .text("http"))
    }
}

import Foundation
import Testing

@testable import Security

extension SecItemConformanceTests {
    static let update: [ConformanceCase] = [
        .init(
            "79, 80",
            "si-11-update-data.c",
            .add(item("a", "s", oneSecret), 0),
            .update(item(), ["v_Data": secret("new")], 0),
            .copy(item("a", "s", ["r_Data": true]), 0, .data("new")),
            .update(item(), ["v_Data": "text"], errSecParam),
            .update(item(), ["v_Data": NSNull()], errSecParam),
            .copy(item("a", "s", ["r_Data": true]), 0, .data("new"))
        ),
        .init(
            "81",
            "si-10-find-internet.c",
            .add(inet(["srvr": "A", "acct": "a"]), 0),
            .update(inet(["srvr": "A"]), ["srvr": "B"], 0),
            .copy(inet(["srvr": "A"]), errSecItemNotFound),
            .update(inet(["srvr": "A"]), ["srvr": "B"], errSecItemNotFound),
            .delete(inet(["srvr": "A"]), errSecItemNotFound),
            .copy(inet(["srvr": "B", "r_Attributes": true]), 0, .dictionary(["acct": "a"]))
        ),
        .init(
            "83",
            "SecItemTests.m testMoveGenericPassword",
            .add(item("a", "s", oneSecret), 0),
            .update(item(), ["acct": "a2", "svce": "s2"], 0),
            .update(item(), ["acct": "a2", "svce": "s2"], errSecItemNotFound),
            .copy(item("a2", "s2", ["r_Data": true]), 0, .data("x"))
        ),
        .init(
            "85, 87, 95, 97",
            "KeychainAPITests.m testReturnValuesInSecItemUpdate; SecItemDb.c; SecItem.cpp",
            .add(item(), 0),
            .update(item("a", "s", ["r_Attributes": true, "r_Data": true]), ["labl": "x"], 0),
            .update(item(), ["r_Data": true], errSecNoSuchAttr),
            .update(item(), ["m_Limit": "m_LimitAll"], errSecNoSuchAttr),
            .update(item(), ["v_PersistentRef": Data()], errSecNoSuchAttr),
            .update(item("a", "s", noLimit), ["labl": "y"], 0),
            .update(item(), ["nleg": true, "labl": "z"], 0),
            .copy(item("a", "s", ["r_Attributes": true]), 0, .dictionary(["labl": "z"]))
        ),
        .init(
            "90",
            "SecItemServer.c",
            .add(item("a"), 0),
            .add(item("b"), 0),
            .add(item("c"), 0),
            .add(item("d", "other"), 0),
            .update(genp(["svce": "s"]), ["icmt": "changed"], 0),
            .copy(genp(["icmt": "changed", "r_Attributes": true]).merging(noLimit) { $1 }, 0, .array(3))
        ),
        .init(
            "93",
            "KeychainAppClipTests.m",
            .add(item("a", "s", oneSecret), 0),
            .update(item("a", "s", ["v_Data": secret("wrong")]), ["labl": "l"], 0)
        ),
        .init(
            "94",
            "si-72-syncableitems.c",
            .add(item("a", "s", ["sync": true]), 0),
            .update(item("a", "s", ["sync": true]), ["icmt": "c"], 0),
            .copy(genp(["icmt": "c", "sync": true]), 0)
        ),
        .init(
            "98",
            "SecItemDb.c",
            .add(item("a", "s", ["pdmn": "ak"]), 0),
            .update(item(), ["pdmn": "ck"], 0),
            .copy(item("a", "s", ["pdmn": "ck"]), 0),
            .update(item(), ["pdmn": "ak"], 0),
            .copy(item("a", "s", ["pdmn": "ck"]), errSecItemNotFound)
        ),
        .init(
            "4.9: a taken key changes nothing",
            "si-10-find-internet.c",
            .add(item("a", "s", oneSecret), 0),
            .add(item("b", "s", ["v_Data": secret("y")]), 0),
            .update(item("a"), ["acct": "b"], errSecDuplicateItem),
            .copy(item("a", "s", ["r_Data": true]), 0, .data("x")),
            .copy(item("b", "s", ["r_Data": true]), 0, .data("y"))
        ),
        .init(
            "4.9: two items driven to one key",
            "SecItemDb.c",
            .add(item("a"), 0),
            .add(item("b"), 0),
            .update(genp(["svce": "s"]), ["acct": "c"], errSecDuplicateItem),
            .copy(item("a"), 0),
            .copy(item("b"), 0),
            .copy(item("c"), errSecItemNotFound)
        ),
        .init(
            "4.9: synchronizable flips",
            "SecItemDb.c",
            .add(item("a", "s", oneSecret), 0),
            .update(item(), ["sync": true], 0),
            .copy(item(), errSecItemNotFound),
            .copy(item("a", "s", ["sync": true, "r_Data": true]), 0, .data("x"))
        ),
    ]

    @Test(arguments: update) func updating(_ one: ConformanceCase) throws { try one.run() }

    static let delete: [ConformanceCase] = [
        .init(
            "99, 105",
            "si-10-find-internet.c; SecDbQuery.c",
            .delete(item(), errSecItemNotFound),
            .delete(["acct": "a"], errSecParam)
        ),
        .init(
            "102",
            "SecItem.cpp",
            .add(item("a"), 0),
            .add(item("b"), 0),
            .delete(genp(["svce": "s"]).merging(noLimit) { $1 }, 0),
            .copy(genp(), errSecItemNotFound)
        ),
        .init(
            "106",
            "SecItemDb.c s3dl_query_delete; mockaksKeychain.m testAddDeleteItem",
            .add(item("a", "s", oneSecret), 0),
            .delete(item(), 0),
            .delete(item(), errSecItemNotFound)
        ),
        .init(
            "4.10: a class",
            "SecItemDb.c",
            .add(item("a"), 0),
            .add(item("b", "t"), 0),
            .add(item("c", "s", ["sync": true]), 0),
            .add(inet(["srvr": "h"]), 0),
            .delete(genp(), 0),
            .copy(genp(), errSecItemNotFound),
            .copy(genp(["sync": true]), 0),
            .copy(inet(), 0),
            .delete(["class": "idnt"], errSecItemNotFound),
            .delete(["class": "cert"], errSecItemNotFound),
            .delete(["class": "keys"], errSecItemNotFound)
        ),
    ]

    @Test(arguments: delete) func deleting(_ one: ConformanceCase) throws { try one.run() }

    @Test("100 [mockaksKeychain.m deleteAllItems]") func fiftyItemsAreDeletedByOneCall() throws {
        let store = try TestKeychain()
        for index in 0..<50 { #expect(store.add(item("a\(index)")).status == errSecSuccess) }
        #expect(store.delete(genp(["svce": "s"])) == errSecSuccess)
        for index in 0..<50 { #expect(store.copy(item("a\(index)")).status == errSecItemNotFound) }
        #expect(store.entries.isEmpty)
    }
}

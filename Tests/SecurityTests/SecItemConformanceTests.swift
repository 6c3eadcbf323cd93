import Foundation
import Testing

@testable import Security

// Each case has a number of its own and names the source of its answer.
// Cases about statuses of malformed queries (15 to 19, 22, 29, 32 to 37, 39, 52, 58, 68, 72, 76, 80, 85, 87,
// 93, 95, 97, 102, 105) also stand in ItemQueryTests. Cases with several stores, references or damage are in
// other suites.

@Suite struct SecItemConformanceTests {
    static let add: [ConformanceCase] = [
        .init(
            "1, 2",
            "mockaksKeychain.m testAddDeleteItem; SecItemTests.m testAddCollidingGenericPassword",
            .add(item("a", "s", oneSecret), 0, .nothing),
            .copy(item("a", "s", ["r_Data": true]), 0, .data("x")),
            .add(item("a", "s", ["v_Data": secret("y")]), errSecDuplicateItem),
            .copy(item("a", "s", ["r_Data": true]), 0, .data("x"))
        ),
        .init(
            "3",
            "si-10-find-internet.c",
            .add(
                inet([
                    "srvr": "h", "acct": "a", "port": 80, "ptcl": "http", "atyp": "dflt",
                    "v_Data": secret("x"),
                ]),
                0
            ),
            .add(
                inet([
                    "srvr": "h", "acct": "a", "port": 80, "ptcl": "http", "atyp": "dflt",
                    "v_Data": secret("x"),
                ]),
                errSecDuplicateItem
            ),
            .add(inet(["srvr": "h", "acct": "a", "port": 81, "ptcl": "http", "atyp": "dflt"]), 0)
        ),
        .init(
            "4",
            "SecItemTests.m testAddTwoGenericPassword",
            .add(item("a"), 0),
            .add(item("b"), 0),
            .copy(genp(["svce": "s"]).merging(noLimit) { $1 }, 0, .array(0))
        ),
        .init(
            "6",
            "SecItemSchema.c; si-12-item-stress.c",
            .add(item("a", "s", ["sync": false]), 0),
            .add(item("a", "s", ["sync": true]), 0),
            .copy(genp(["sync": "syna", "r_Attributes": true]).merging(noLimit) { $1 }, 0, .array(2))
        ),
        .init("9", "si-05-add.c case 1b", .add(item("a", "s", oneSecret), 0, .nothing)),
        .init(
            "11",
            "si-05-add.c case 4",
            .add(item("a", "s", ["v_Data": secret("x"), "r_Data": true]), 0, .data("x"))
        ),
        .init(
            "12",
            "si-05-add.c case 5",
            .add(
                item("a", "s", ["v_Data": secret("x"), "r_Attributes": true]),
                0,
                .dictionary(["acct": "a", "svce": "s"], without: ["v_Data", "v_Ref", "v_PersistentRef"])
            )
        ),
        .init(
            "13, as data items",
            "si-05-add.c case 6",
            .add(
                [
                    "class": "cert", "v_Data": secret("x"), "r_Data": true, "r_Attributes": true,
                    "r_Ref": true,
                    "r_PersistentRef": true,
                ],
                0,
                .dictionary(["class": "cert", "v_Data": secret("x")])
            )
        ),
        .init(
            "14",
            "KeychainAPITests.m testGenpReturnRef, testInetReturnRef",
            .add(item("a", "s", ["r_Ref": true]), 0, .nothing),
            .add(inet(["srvr": "h", "r_Ref": true]), 0, .nothing)
        ),
        .init(
            "15, 16, 17, 19",
            "si-05-add.c case 7; SecItemDb.c; SecDbQuery.c; si-11-update-data.c",
            .add(["class": "cert", "atag": "x"], errSecNoSuchAttr),
            .delete(["class": "cert", "atag": "x"], errSecNoSuchAttr),
            .add(item("a", "s", ["srvr": "h"]), errSecNoSuchAttr),
            .add(inet(["svce": "s"]), errSecNoSuchAttr),
            .add(["acct": "a"], errSecParam),
            .add(item("a", "s", ["v_Data": "x"]), errSecParam),
            .copy(genp(noLimit), errSecItemNotFound)
        ),
        .init(
            "20",
            "si-80-empty-data.c; KeychainAPITests.m testBadTypeInParams",
            .add(item(), 0),
            .copy(item("a", "s", ["r_Data": true]), 0, .nothing),
            .copy(
                item("a", "s", ["r_Data": true, "r_Attributes": true]),
                0,
                .dictionary(["acct": "a"], without: ["v_Data"])
            )
        ),
        .init(
            "21",
            "SecDbItem.c",
            .add(item("a", "s", ["v_Data": Data()]), 0),
            .copy(item("a", "s", ["r_Data": true]), 0, .data(""))
        ),
        .init(
            "29",
            "SecItemTests.m testBadPort",
            .add(inet(["srvr": "h", "port": ""]), 0),
            .copy(inet(["srvr": "h", "port": ""]), 0),
            .copy(inet(["srvr": "h", "port": 0]), errSecItemNotFound)
        ),
        .init(
            "32",
            "SecDbItem.c copyBlob",
            .add(item("a").merging(["acct": Date()]) { $1 }, errSecParam),
            .add(item("a").merging(["acct": true]) { $1 }, errSecParam),
            .add(item("a").merging(["acct": 42]) { $1 }, 0),
            .copy(item("42", "s", ["r_Attributes": true]), 0, .dictionary(["acct": 42]))
        ),
        .init(
            "38",
            "SecDbQuery.c query_infer_keyclass; KeychainEntitlementsTest.m",
            .add(
                item("a", "s", ["r_Attributes": true]),
                0,
                .dictionary(["pdmn": "ak", "sync": 0, "agrp": "default"])
            )
        ),
        .init(
            "40",
            "SecItem.m",
            .add(item("a", "s", ["v_Data": Data(repeating: 7, count: 102_400)]), 0),
            .copy(item("a", "s", ["r_Data": true]), 0, .data(String(repeating: "\u{7}", count: 102_400)))
        ),
    ]

    @Test(arguments: add) func adding(_ one: ConformanceCase) throws { try one.run() }

    static let copy: [ConformanceCase] = [
        .init(
            "41",
            "si-00-find-nothing.c",
            .copy(genp(["m_Limit": "m_LimitOne"]), errSecItemNotFound, .nothing)
        ),
        .init(
            "42",
            "SecItemDb.c s3dl_query",
            .copy(genp(["r_Attributes": true]).merging(noLimit) { $1 }, errSecItemNotFound, .nothing)
        ),
        .init(
            "43",
            "mockaksKeychain.m findManyItems",
            .add(item("a", "s", oneSecret), 0),
            .copy(item(), 0, .nothing)
        ),
        .init(
            "44, 46, 60",
            "KeychainCryptoTests.m; KeychainAPITests.m testSecItemCopyMatchingDoesNotReturnPersistRefs",
            .add(item("a", "s", oneSecret), 0),
            .copy(
                item("a", "s", ["r_Attributes": true]),
                0,
                .dictionary(
                    ["acct": "a"],
                    without: ["v_Data", "class", "persistref", "UUID", "gena", "labl"]
                )
            ),
            .copy(
                item("a", "s", ["r_Attributes": true, "r_Data": true]),
                0,
                .dictionary(["acct": "a", "v_Data": secret("x")])
            )
        ),
        .init(
            "48, 49",
            "si-78-query-attrs.c",
            .add(item("a", "s", oneSecret), 0),
            .copy(genp(["r_Data": true]).merging(noLimit) { $1 }, 0, .arrayOfData(["x"])),
            .copy(genp(["r_PersistentRef": true]).merging(noLimit) { $1 }, 0, .array(1)),
            .copy(genp(["r_Data": true, "m_Limit": 2]), 0, .arrayOfData(["x"])),
            .copy(genp(["r_Data": true, "m_Limit": 1]), 0, .data("x"))
        ),
        .init(
            "52",
            "SecDbQuery.c",
            .add(item(), 0),
            .copy(genp(["m_Limit": 0]), errSecItemNotFound),
            .copy(genp(["m_Limit": "m_LimitSome"]), errSecParam)
        ),
        .init(
            "53, and the oldest first",
            "SecItemServer.c",
            .add(item("z"), 0),
            .add(item("y"), 0),
            .add(item("x"), 0),
            .copy(genp(["svce": "s", "r_Attributes": true]), 0, .dictionary(["acct": "z"])),
            .copy(genp(["svce": "s", "r_Attributes": true, "m_Limit": 2]), 0, .array(2)),
            .copy(genp(["svce": "s", "r_Attributes": true, "m_Limit": -1]), 0, .array(3))
        ),
        .init(
            "61, 62",
            "si-72-syncableitems.c; si-34-one-true-keychain.c",
            .add(item("a", "s", ["sync": true]), 0),
            .copy(item(), errSecItemNotFound),
            .copy(item("a", "s", ["sync": true]), 0),
            .copy(item("a", "s", ["sync": "syna"]), 0),
            .add(item("b"), 0),
            .copy(item("b", "s", ["sync": true]), errSecItemNotFound),
            .copy(item("b", "s", ["sync": "syna"]), 0)
        ),
        .init(
            "64",
            "SecItemDb.c",
            .add(item("a", "s", ["pdmn": "ak"]), 0),
            .copy(item("a", "s", ["pdmn": "ck"]), errSecItemNotFound),
            .copy(item("a", "s", ["pdmn": "ak"]), 0)
        ),
        .init(
            "65, 66",
            "SecDbQuery.c; SHA-1 over bytes",
            .add(item("Smith"), 0),
            .copy(item("smith"), errSecItemNotFound),
            .copy(item("smith", "s", ["m_CaseInsensitive": true]), errSecItemNotFound),
            .add(item("\u{E9}", "s", ["v_Data": secret("composed")]), 0),
            .add(item("e\u{301}", "s", ["v_Data": secret("decomposed")]), 0),
            .copy(item("\u{E9}", "s", ["r_Data": true]), 0, .data("composed")),
            .copy(item("e\u{301}", "s", ["r_Data": true]), 0, .data("decomposed"))
        ),
        .init(
            "68",
            "KeychainAPITests.m testSecItemCopyMatchingHostorSubdomain; SecItemServer.c",
            .add(inet(["srvr": "origin.example.com", "acct": "a"]), 0),
            .copy(inet(["m_HostOrSubdomainOfHost": "example.com"]), 0),
            .copy(inet(["m_HostOrSubdomainOfHost": "origin.example.com"]), 0),
            .copy(inet(["m_HostOrSubdomainOfHost": "foobar.com"]), errSecItemNotFound),
            .copy(inet(["m_HostOrSubdomainOfHost": "ample.com"]), errSecItemNotFound),
            .copy(genp(["m_HostOrSubdomainOfHost": "example.com"]), errSecUnimplemented)
        ),
        .init(
            "69",
            "mockaksKeychain.m findManyItemsWithData",
            .add(item("a", "s", oneSecret), 0),
            .copy(item("a", "s", ["r_Data": true, "r_Attributes": true]), 0)
        ),
        .init(
            "70",
            "KeychainAPITests.m testInetBinaryFields",
            .add(
                inet([
                    "srvr": "h", "acct": "a", "v_Data": secret("x"), "binn": secret("n"), "bini": secret("i"),
                    "bin0": secret("0"), "bin3": secret("3"),
                ]),
                0
            ),
            .copy(
                inet(["srvr": "h", "r_Attributes": true]),
                0,
                .dictionary([:], without: ["binn", "bini", "bin0", "bin3"])
            ),
            .copy(
                inet(["srvr": "h", "r_Attributes": true, "r_Data": true]),
                0,
                .dictionary(
                    ["binn": secret("n"), "bini": secret("i"), "bin0": secret("0"), "bin3": secret("3")],
                    without: ["bin1"]
                )
            ),
            .copy(inet(["srvr": "h", "r_Data": true]), 0, .data("x")),
            .copy(inet(["binn": secret("n"), "r_Data": true]), 0, .data("x")),
            .copy(inet(["binn": secret("m"), "r_Data": true]), errSecItemNotFound)
        ),
        .init(
            "71",
            "SecDbItem.c copyNumber",
            .add(item("a", "s", ["invi": true, "nega": false]), 0),
            .copy(item("a", "s", ["r_Attributes": true]), 0, .dictionary(["invi": 1, "nega": 0]))
        ),
        .init(
            "72, 76",
            "SecItem.m; SecDbQuery.c",
            .add(item(), 0),
            .copy(item("a", "s", ["u_AuthUI": "u_AuthUIS"]), 0),
            .copy(item("a", "s", ["m_Foo": 1]), 0),
            .update(item("a", "s", ["u_AuthUI": "u_AuthUIS"]), [:], errSecParam),
            .delete(item("a", "s", ["u_AuthUI": "u_AuthUIS"]), errSecParam)
        ),
        .init(
            "77",
            "SecItemSchema.c",
            .add(genp(["svce": "s"]), 0),
            .copy(genp(["svce": "s", "labl": ""]), errSecItemNotFound),
            .copy(item(""), 0)
        ),
        .init(
            "78",
            "SecDbQuery.c; KeychainAppClipTests.m",
            .add(item("a", "s", oneSecret), 0),
            .copy(item("a", "s", ["v_Data": secret("wrong")]), 0)
        ),
        .init(
            "4.6: nothing wanted of several",
            "SecItemServer.c",
            .add(item("a"), 0),
            .copy(genp(noLimit), 0, .array(0)),
            .copy(genp(["r_Ref": true]), 0, .nothing),
            .copy(
                genp(["r_Ref": true, "r_Attributes": true]),
                0,
                .dictionary(["class": "genp"], without: ["v_Ref"])
            )
        ),
    ]

    @Test(arguments: copy) func copying(_ one: ConformanceCase) throws { try one.run() }
}

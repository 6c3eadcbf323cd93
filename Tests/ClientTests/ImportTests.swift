import Foundation
import Testing

/// `pimport` of pass-import, which writes through `pass insert`.
@Suite(.enabled(if: Client.has("pimport"), "PyPI's pass-import is not there"))
struct ImportTests {
    @Test func importsACSV() throws {
        let client = try Client()
        let file = try client.write(
            """
            title,password,login,url,comments
            bank,"pass, word's",alice@example.org,https://bank.example.org/?a=b,two words
            Zoë's mail,ключ,zoë,,

            """,
            to: "in.csv"
        )
        let columns = "title,password,login,url,comments"
        try client.run("pimport", ["pass", "csv", file, "--cols", columns, "--out", client.store])
        #expect(
            try client.pass("show", "bank")
                == "pass, word's\nlogin: alice@example.org\nurl: https://bank.example.org/?a=b\n"
                + "comments: two words\n"
        )
        #expect(try client.pass("ls", "--flat").split(separator: "\n").count == 2)
        #expect(try client.pass("show", "Zoë's mail") == "ключ\nlogin: zoë\n")
    }

    @Test func importsAnotherStore() throws {
        let source = try Client(["a": "one\n", "folder/b c": "two\nlogin: bob\nurl: https://example.org\n"])
        let target = try Client()
        try target.run("pimport", ["pass", "pass", source.store, "--out", target.store])
        #expect(try target.pass("ls", "--flat") == "a\nfolder/b c\n")
        #expect(try target.pass("show", "a") == "one\n")
        #expect(try target.pass("show", "folder/b c") == "two\nlogin: bob\nurl: https://example.org\n")
    }
}

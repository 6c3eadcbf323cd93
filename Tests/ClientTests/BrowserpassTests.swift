import Foundation
import Testing

private let host = "browserpass-native"

/// The host that browserpass starts, of Debian's webext-browserpass; it reads the store's files by itself.
@Suite(.enabled(if: Client.has(host), "Debian's webext-browserpass is not there"))
struct BrowserpassTests {
    /// Sends one message as a browser does, and gives the data of the answer.
    private func ask(_ client: Client, _ action: String, file: String? = nil) throws -> NSDictionary {
        let store = ["id": "s", "name": "s", "path": client.store]
        var message: [String: Any] = [
            "action": action, "settings": ["stores": ["s": store]], "storeId": "s",
        ]
        message["file"] = file
        let body = try JSONSerialization.data(withJSONObject: message)
        let length = withUnsafeBytes(of: UInt32(body.count)) { Array($0) }
        let output = try client.run(host, [], input: length + body).output
        let answer = try JSONSerialization.jsonObject(with: Data(output.dropFirst(4))) as? NSDictionary
        #expect(answer?["status"] as? String == "ok")
        return try #require(answer?["data"] as? NSDictionary)
    }

    @Test func readsTheStore() throws {
        let contents = "secret\nlogin: zoë\nurl: https://example.org\n"
        let client = try Client(["web/example.org": contents, "a b": "x\n"])
        let files = try ask(client, "list")["files"] as? [String: [String]]
        #expect(files == ["s": ["a b.gpg", "web/example.org.gpg"]])
        #expect(try ask(client, "fetch", file: "web/example.org.gpg")["contents"] as? String == contents)
    }
}

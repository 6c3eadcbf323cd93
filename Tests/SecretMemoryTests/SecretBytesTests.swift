import SecretMemory
import Testing

@Suite struct SecretBytesTests {
    @Test func describesOnlyTheCount() {
        let secret = SecretBytes(copying: Array("hunter2".utf8).span)
        #expect("\(secret)" == "<7 secret bytes>")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }
}

import SecretMemory
import Testing

@Suite struct SecretBytesTests {
    let secret = SecretBytes(copying: Array("hunter2".utf8).span)

    func exposed(_ secret: SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    @Test func showsNothingButTheCount() {
        #expect("\(secret)" == "<7 secret bytes>")
        #expect(String(reflecting: secret) == "<7 secret bytes>")
        var dumped = ""
        dump(secret, to: &dumped)
        dump([secret], to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func holdsWhatItCopied() {
        #expect(exposed(secret) == Array("hunter2".utf8))
        #expect(secret.count == 7)
        #expect(!secret.isEmpty)
        let nothing = SecretBytes(copying: [UInt8]().span)
        #expect(nothing.isEmpty)
        #expect(exposed(nothing) == [])
    }

    @Test func comparesContents() {
        #expect(secret.isEqual(to: secret))
        #expect(secret.isEqual(to: SecretBytes(copying: Array("hunter2".utf8).span)))
        for other in ["", "hunter", "hunter3", "Hunter2", "hunter22"] {
            #expect(!secret.isEqual(to: SecretBytes(copying: Array(other.utf8).span)))
        }
    }

    @Test func slices() {
        #expect(exposed(secret.slice(0..<7)) == Array("hunter2".utf8))
        #expect(exposed(secret.slice(6..<7)) == Array("2".utf8))
        #expect(secret.slice(7..<7).isEmpty)
    }

    @Test func aSliceBeyondTheEndTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = SecretBytes(copying: [1, 2].span).slice(1..<3)
        }
    }
}

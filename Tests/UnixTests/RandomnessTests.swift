import SecretMemory
import Testing
import Unix

@Suite struct RandomnessTests {
    @Test func addsAsManyBytesAsAskedFor() throws {
        var buffer = SecretBuffer()
        buffer.append(7)
        try Randomness.append(0, to: &buffer)
        #expect(buffer.count == 1)
        // More than getrandom gives without being interruptible, and more than a page.
        try Randomness.append(100_000, to: &buffer)
        let secret = buffer.finish()
        #expect(secret.count == 100_001)
        // No value of a byte is missing: by chance that happens once in 10^167.
        let values = secret.withBytes { bytes in Set(bytes.indices.map { bytes[$0] }) }
        #expect(values.count == 256)
    }
}

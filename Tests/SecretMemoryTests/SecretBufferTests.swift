import SecretMemory
import Testing

@Suite struct SecretBufferTests {
    func exposed(_ secret: SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    @Test(arguments: [0, 1, 7, 4095, 4096, 4097, 70_000])
    func growsWithWhatIsAppended(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        var buffer = SecretBuffer()
        for byte in bytes { buffer.append(byte) }
        #expect(buffer.count == count)
        #expect(exposed(buffer.finish()) == bytes)

        var second = SecretBuffer(capacity: count / 2)
        second.append(bytes.span)
        second.append(SecretBytes(copying: bytes.span))
        #expect(exposed(second.finish()) == bytes + bytes)
    }

    @Test func takesBytesAway() {
        var buffer = SecretBuffer()
        buffer.removeLast()
        #expect(buffer.count == 0)
        buffer.append([1, 2, 3].span)
        buffer.removeLast()
        #expect(buffer.count == 2)
        buffer.removeAll()
        #expect(buffer.count == 0)
        buffer.append(9)
        #expect(exposed(buffer.finish()) == [9])
    }

    @Test func letsAFunctionFillIt() {
        var buffer = SecretBuffer()
        buffer.append(1)
        let written = buffer.appendUninitialized(upTo: 5000) { room in
            room[0] = 2
            return 1
        }
        #expect(written == 1)
        _ = buffer.appendUninitialized(upTo: 10) { _ in 0 }
        #expect(exposed(buffer.finish()) == [1, 2])
    }
}

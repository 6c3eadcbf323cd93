import Glibc
import SecretMemory
import Testing

@Suite struct CStringTests {
    @Test(arguments: [[], [0x61], [0xFF, 0x0A]] as [[UInt8]]) func lendsAllBytes(_ bytes: [UInt8]) {
        #expect(!bytes.holdsNUL)
        #expect(withCString(bytes) { strlen($0) } == bytes.count)
        withCStrings([bytes, [0x62], bytes]) { texts in
            #expect(strlen(texts[0]!) == bytes.count && strlen(texts[2]!) == bytes.count)
            #expect(texts[1]![0] == 0x62 && texts[3] == nil)
        }
    }

    @Test func anEmptyArrayIsANullPointer() { withCStrings([]) { #expect($0[0] == nil) } }

    @Test(arguments: [[0], [0x61, 0], [0, 0x61]] as [[UInt8]]) func cutsNothing(_ bytes: [UInt8]) async {
        #expect(bytes.holdsNUL)
        await #expect(processExitsWith: .failure) { [bytes] in withCString(bytes) { _ in } }
        await #expect(processExitsWith: .failure) { [bytes] in withCStrings([[0x61], bytes]) { _ in } }
    }
}

import Foundation
import Glibc
import SecretMemory
import Testing

/// What stands at an address after it was given back: nothing, since whole pages are unmapped.
///
/// Most tests have a process of their own, so that nothing else is mapped at the address meanwhile.
@Suite struct WipingTests {
    @Test func removedBytesAreZeroed() {
        var buffer = SecretBuffer()
        buffer.append([7, 8, 9].span)
        buffer.removeLast()
        _ = buffer.appendUninitialized(upTo: 1) { room in
            #expect(room[0] == 0)
            return 0
        }
        buffer.removeAll()
        _ = buffer.appendUninitialized(upTo: 3) { room in
            #expect(room.prefix(3).allSatisfy { $0 == 0 })
            return 0
        }
    }

    @Test func whatIsReleasedIsGone() async {
        await #expect(processExitsWith: .success) {
            var address = UInt(0)
            do {
                let secret = SecretBytes(copying: [7, 8, 9].span)
                secret.withUnsafeBytes { address = UInt(bitPattern: $0.baseAddress) }
                #expect(isMapped(address))
            }
            #expect(!isMapped(address))
        }
    }

    @Test func whatIsOutgrownIsGone() async {
        await #expect(processExitsWith: .success) {
            var buffer = SecretBuffer()
            var address = UInt(0)
            _ = buffer.appendUninitialized(upTo: 1) { room in
                address = UInt(bitPattern: room.baseAddress)
                return 1
            }
            #expect(isMapped(address))
            buffer.append(Array(repeating: 1, count: 10_000).span)
            #expect(!isMapped(address))
        }
    }

    @Test func whatIsUnfinishedIsGone() async {
        await #expect(processExitsWith: .success) {
            var address = UInt(0)
            do {
                var buffer = SecretBuffer()
                _ = buffer.appendUninitialized(upTo: 1) { room in
                    address = UInt(bitPattern: room.baseAddress)
                    return 1
                }
                #expect(isMapped(address))
            }
            #expect(!isMapped(address))
        }
    }

    @Test func isKeptOutOfCoreDumps() throws {
        let secret = SecretBytes(copying: [7, 8, 9].span)
        try secret.withUnsafeBytes { bytes in
            let flags = try mappingFlags(at: UInt(bitPattern: bytes.baseAddress))
            #expect(flags.contains("dd"))
        }
    }
}

/// Whether the page can be read: `mincore` fails for pages that are not mapped.
private func isMapped(_ address: UInt) -> Bool {
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    var state: UInt8 = 0
    return mincore(UnsafeMutableRawPointer(bitPattern: address / page * page), Int(page), &state) == 0
}

/// The `VmFlags` of the mapping that holds `address`; `dd` is "do not dump".
///
/// Source: proc(5), smaps.
private func mappingFlags(at address: UInt) throws -> Set<Substring> {
    // `Data(contentsOf:)` ends at the first short read, which such a file gives before its end.
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
    let contents = try file.readToEnd()
    let smaps = String(decoding: try #require(contents), as: UTF8.self)
    var isInside = false
    for line in smaps.split(separator: "\n") {
        let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2 { isInside = (bounds[0]..<bounds[1]).contains(address) }
        if isInside, line.hasPrefix("VmFlags:") { return Set(line.split(separator: " ")) }
    }
    return []
}

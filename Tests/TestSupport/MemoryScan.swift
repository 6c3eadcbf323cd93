internal import Glibc
public import SecretMemory

/// Looks for copies of a marker in all memory that this process can write.
///
/// The marker is kept only with every bit turned, so that the scan does not find itself.
public struct MemoryScan {
    private let turned: [UInt8] = (0..<16).map { _ in ~UInt8.random(in: 0x21...0x7E) }

    /// Makes up a marker.
    public init() {}

    /// How many bytes the marker has.
    public var count: Int { turned.count }

    /// The marker, `count` times, put together byte by byte in memory that is wiped.
    public func makeSecret(repeating count: Int) -> SecretBytes {
        var buffer = SecretBuffer()
        for _ in 0..<count {
            for byte in turned { buffer.append(~byte) }
        }
        return buffer.finish()
    }

    /// How many copies there are.
    public func copies() throws -> Int {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        guard let start = block.baseAddress else { throw ScanFailure() }
        defer {
            explicit_bzero(start, block.count)
            block.deallocate()
        }
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        guard memory >= 0 else { throw ScanFailure() }
        let own = UInt(bitPattern: start)..<UInt(bitPattern: start) + UInt(block.count)
        // What was read lies in the block as well, and does not count.
        return try regions().flatMap { Self.parts(of: $0, without: own) }.reduce(0) { found, region in
            found + copies(in: region, of: memory, readInto: block)
        }
    }

    private static func parts(of region: Range<UInt>, without hole: Range<UInt>) -> [Range<UInt>] {
        guard region.overlaps(hole) else { return [region] }
        let before = region.lowerBound..<max(region.lowerBound, hole.lowerBound)
        let behind = min(region.upperBound, hole.upperBound)..<region.upperBound
        return [before, behind].filter { !$0.isEmpty }
    }

    private func copies(
        in region: Range<UInt>,
        of memory: Int32,
        readInto block: UnsafeMutableRawBufferPointer
    ) -> Int {
        var found = 0
        var start = region.lowerBound
        while start < region.upperBound {
            let size = min(block.count, Int(region.upperBound - start))
            let got = pread(memory, block.baseAddress, size, off_t(start))
            found += count(in: UnsafeRawBufferPointer(rebasing: block[..<max(0, got)]))
            // A marker across two blocks is seen in the second.
            start += UInt(size) - (size == block.count ? UInt(count - 1) : 0)
        }
        return found
    }

    private func count(in bytes: UnsafeRawBufferPointer) -> Int {
        var found = 0
        var rest = bytes
        while rest.count >= count, let start = rest.baseAddress,
            let hit = memchr(start, Int32(~turned[0]), rest.count - count + 1)
        {
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(hit) - start)...])
            if turned.indices.allSatisfy({ rest[$0] == ~turned[$0] }) { found += 1 }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        return found
    }

    private func regions() throws -> [Range<UInt>] {
        guard let maps = fopen("/proc/self/maps", "r") else { throw ScanFailure() }
        defer { fclose(maps) }
        var regions: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, fields[1].hasPrefix("rw") else { continue }
            regions.append(bounds[0]..<bounds[1])
        }
        return regions
    }
}

/// The memory could not be read.
struct ScanFailure: Error {}

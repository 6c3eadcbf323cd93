extension [UInt8] {
    /// Adds `bytes` at the end, in one go, for rooms without pointers.
    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

import SecretMemory

extension SecretBytes {
    /// Makes secret bytes of a text that is no secret.
    convenience init(_ text: String) { self.init(copying: Array(text.utf8).span) }

    /// The bytes, for comparisons in tests.
    var exposed: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}

import GPGME
import SecretMemory
import TestSupport
import Testing

extension SecretBytes {
    /// Makes secret bytes of a text that is no secret.
    convenience init(_ text: String) { self.init(copying: Array(text.utf8).span) }

    /// The bytes, for comparisons in tests.
    var exposed: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}

extension TestKeyring {
    /// What a context needs to work with these keys.
    var options: EngineOptions { EngineOptions(home: Array(home.utf8)) }
}

extension [UInt8] {
    /// The UTF-8 bytes of a text.
    init(_ text: String) { self = Array(text.utf8) }
}

extension MessagePackets {
    /// Reads an array, which a `#expect` cannot lend as a span.
    init(bytes: [UInt8]) throws(MalformedMessage) { try self.init(bytes.span) }
}

/// Bytes with a name that test output can show.
struct NamedBytes: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        testDescription = name
        self.bytes = bytes
    }
}

/// The error that `body` throws; `nil` when it throws none, or none of this type.
func thrown<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) { try body() } catch { return error }
    return nil
}

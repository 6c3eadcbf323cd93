internal import Foundation
internal import SecretMemory

extension ItemFields {
    /// The contents of the entry: line 1, the user's own lines, the fields in the order of the schema.
    func contents(of itemClass: ItemClass) -> SecretBytes {
        if let wholeFile { return wholeFile }
        var buffer = SecretBuffer(capacity: firstLine.count + ownLines.count + 512)
        buffer.append(firstLine)
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(ownLines)
        let endsLine = ownLines.withBytes { $0.count == 0 || $0[$0.count - 1] == UInt8(ascii: "\n") }
        if !endsLine { buffer.append(UInt8(ascii: "\n")) }
        Self.append(attributes, of: itemClass, to: &buffer)
        switch data {
        case .absent: break
        case .none: buffer.appendField("data", .text("none"))
        case .bytes(let bytes): buffer.appendField("data", base64: bytes)
        }
        return buffer.finish()
    }

    /// Writes the fields of `attributes`.
    static func append(_ attributes: ItemAttributes, of itemClass: ItemClass, to buffer: inout SecretBuffer) {
        if let identifier = attributes.identifier {
            buffer.appendField("id", .text(identifier.uuidString))
        }
        for line in itemClass.attributes {
            guard let name = line.field, let value = attributes.values[line.code] else { continue }
            buffer.appendField(name, value)
        }
    }
}

extension SecretBuffer {
    private mutating func append(text: String) { append(Array(text.utf8).span) }

    /// Writes `value` as text where a line can hold it, and as base64 where not.
    fileprivate mutating func appendField(_ name: String, _ value: AttributeValue) {
        let (tag, bytes): (String, [UInt8]) =
            switch value {
            case .text(let text): ("", text)
            case .data(let data): (";binary", data)
            case .number: (";integer", value.bytes)
            case .date(let date): ("", Array(date.text.utf8))
            case .access(let rule): ("", Array("\(rule.protection.rawValue) \(rule.flags ?? 0)".utf8))
            case .secret: (";binary", [])
            }
        if case .secret(let secret) = value { return appendField(name + tag, base64: secret) }
        let isPlain =
            bytes.span.isTextWithoutControls && bytes.span.trimmed(0..<bytes.count).count == bytes.count
        guard isPlain else { return appendField(name + tag, base64: SecretBytes(copying: bytes.span)) }
        append(text: "keychain-\(name)\(tag):")
        if !bytes.isEmpty { append(UInt8(ascii: " ")) }
        append(bytes.span)
        append(UInt8(ascii: "\n"))
    }

    fileprivate mutating func appendField(_ name: String, base64 bytes: SecretBytes) {
        append(text: "keychain-\(name):: ")
        bytes.withBytes { Base64.encode($0, into: &self) }
        append(UInt8(ascii: "\n"))
    }
}

internal import PasswordStore
internal import SecretMemory
internal import Unix

/// An entry in JSON: its name, its password, all of its lines, and its fields.
enum EntryJSON {
    /// Prints an entry.
    static func print(_ contents: EntryContents, of name: EntryName, in session: Session) throws(Failure) {
        try session.output.write(text(of: contents, named: name.folderPath.bytes))
    }

    /// The text; the line of number N is the one that `--clip=N` takes, without the CR of a CRLF line end.
    static func text(of contents: EntryContents, named name: [UInt8]) -> SecretBytes {
        let (lines, fields) = (contents.lines, contents.fields)
        return contents.bytes.withBytes { bytes in
            var json = JSONText()
            json.beginObject()
            json.member("name", name)
            json.key("password")
            json.string(bytes.extracting(lines.first ?? 0..<0))
            json.key("lines")
            json.beginArray()
            for line in lines { json.string(bytes.extracting(line)) }
            json.endArray()
            json.key("fields")
            json.beginArray()
            for field in fields {
                json.beginObject()
                json.key("key")
                json.string(bytes.extracting(field.key))
                json.key("value")
                json.string(bytes.extracting(field.value))
                json.endObject()
            }
            json.endArray()
            if !JSONText.isValid(bytes) { json.hexadecimal("contents", bytes) }
            json.endObject()
            return json.finish()
        }
    }
}

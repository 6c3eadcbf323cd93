extension ItemLocation {
    /// A path that shortens values.
    struct Outline: Hashable, Sendable {
        let path: ItemPath
        /// The attributes of which the path shows no more than the beginning.
        let attributes: Set<AttributeCode>
    }

    /// Whether an item here can have `value`; for a value that the path shortens, by its hash or its beginning.
    func mayHave(_ value: AttributeValue, for line: ItemAttribute) -> Bool {
        guard let outline, outline.attributes.contains(line.code) else {
            return self.value(of: line)?.matches(value) == true
        }
        return outline.mayShow(value.bytes, for: line.code)
    }

    /// Whether it can be in the access group `name`.
    func mayBe(inGroup name: [UInt8]) -> Bool {
        guard let outline, outline.attributes.contains(.group) else { return group == name }
        return outline.mayShow(name, for: .group)
    }

    /// The location with `values` for what its path shortens; nil when the path is not theirs.
    ///
    /// A location that is known in whole stays as it is.
    func completed(with values: [AttributeCode: AttributeValue]) -> ItemLocation? {
        guard let outline else { return self }
        var whole = self
        whole.outline = nil
        for code in outline.attributes {
            guard let value = values[code]?.bytes else { continue }
            if code == .group { whole.group = value } else { whole.set(code, to: value) }
        }
        guard let path = try? whole.path(), path == outline.path.bytes else { return nil }
        return whole
    }
}

extension ItemLocation.Outline {
    fileprivate func mayShow(_ value: [UInt8], for code: AttributeCode) -> Bool {
        let text = PathComponent.encode(value)
        let isAccount = code == .account
        switch path.itemClass {
        case _ where code == .group: return (try? PathComponent.fit(text)[...]) == path.group
        case .genericPassword where isAccount || path.folders.isEmpty:
            return (try? PathComponent.fit(text, to: path.roomForLast)[...]) == path.last
        case .genericPassword:
            return (try? ItemLocation.folders(of: value, room: path.roomForFolders)) == path.folders
        case .internetPassword where code == .server:
            return (try? PathComponent.fit(text)[...]) == path.folders.first
        case .internetPassword where isAccount:
            // One hash for the account and its marks: what can be seen decides here, and the fields in the end.
            guard let beginning = PathComponent.beginning(ofShortened: path.last) else { return false }
            return text.starts(with: beginning) || beginning.starts(with: text + [UInt8(ascii: "%")])
        case .internetPassword, .certificate, .key, .identity: return true
        }
    }
}

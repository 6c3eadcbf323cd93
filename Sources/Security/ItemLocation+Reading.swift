extension ItemLocation {
    /// The location that a canonical path names; nil for every other path.
    ///
    /// Of a path that shortens values it is an outline, which ``completed(with:)`` fills in and checks.
    init?(path: [UInt8]) {
        guard let parts = ItemPath(path) else { return nil }
        self.init(itemClass: parts.itemClass, isSynchronizable: parts.isSynchronizable)
        let shortened = PathComponent.mayBeShortened(in: path) ? parts.shortenedAttributes : []
        if let folder = parts.group, !shortened.contains(.group) {
            guard let group = Self.piece(folder) else { return nil }
            self.group = group
        }
        guard take(parts, besides: shortened) else { return nil }
        guard shortened.isEmpty else {
            outline = Outline(path: parts, attributes: shortened)
            return
        }
        // The rule that makes the mapping one to one, whatever was let pass above.
        guard let canonical = try? self.path(), canonical == path else { return nil }
    }

    /// Takes what stands whole in the components; false when the class has no such path.
    private mutating func take(_ parts: ItemPath, besides shortened: Set<AttributeCode>) -> Bool {
        switch itemClass {
        case .genericPassword:
            guard !parts.folders.isEmpty else {
                return shortened.contains(.service) || takeWhole(parts.last, as: .service, mayBeEmpty: false)
            }
            guard shortened.contains(.service) || take(service: parts.folders) else { return false }
            return shortened.contains(.account) || takeWhole(parts.last, as: .account)
        case .internetPassword:
            guard parts.folders.count == 1,
                shortened.contains(.server) || takeWhole(parts.folders[0], as: .server)
            else { return false }
            return shortened.contains(.account) || take(accountAndMarks: parts.last)
        case .certificate, .key, .identity:
            guard parts.folders.isEmpty, let name = Self.piece(parts.last) else { return false }
            self.name = name
            return Self.isUUID(name)
        }
    }

    private mutating func takeWhole(
        _ component: ArraySlice<UInt8>,
        as code: AttributeCode,
        mayBeEmpty: Bool = true
    ) -> Bool {
        guard let piece = Self.piece(component), mayBeEmpty || !piece.isEmpty else { return false }
        set(code, to: piece)
        return true
    }

    private mutating func take(service folders: [ArraySlice<UInt8>]) -> Bool {
        var pieces: [[UInt8]] = []
        for folder in folders {
            guard let piece = Self.piece(folder) else { return false }
            pieces.append(piece)
        }
        set(.service, to: Array(pieces.joined(separator: [UInt8(ascii: "/")])))
        return true
    }

    /// Takes marks in any order; that they come back as they stood is checked by writing the path again.
    private mutating func take(accountAndMarks component: ArraySlice<UInt8>) -> Bool {
        guard let (account, marks) = PathComponent.decode(component) else { return false }
        set(.account, to: account)
        var rest = marks
        while !rest.isEmpty {
            guard let code = Self.marks.first(where: { rest.starts(with: Array("%\($0.rawValue)=".utf8)) }),
                let (value, next) = PathComponent.decode(rest.dropFirst(code.rawValue.utf8.count + 2))
            else { return false }
            set(code, to: value)
            rest = next
        }
        return true
    }

    /// Reads a component without marks.
    private static func piece(_ component: ArraySlice<UInt8>) -> [UInt8]? {
        guard let (piece, marks) = PathComponent.decode(component), marks.isEmpty else { return nil }
        return piece
    }

    private static func isUUID(_ text: [UInt8]) -> Bool {
        guard text.count == 36 else { return false }
        return text.indices.allSatisfy { index in
            switch text[index] {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(index)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                ![8, 13, 18, 23].contains(index)
            default: false
            }
        }
    }
}

internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// The decryptions of one query: each entry at most once, and none that the index knows.
struct Reading {
    let query: ItemQuery
    let keychain: Keychain
    private var contents: [Path: (fields: ItemFields, version: FileStatus)] = [:]

    init(query: ItemQuery, keychain: Keychain) {
        self.query = query
        self.keychain = keychain
    }

    private var store: Store { keychain.store(for: query) }

    /// What is known of each candidate, after decrypting those of which too little is known.
    ///
    /// - Returns: nil when one vanished meanwhile.
    mutating func items(of candidates: [Candidate], needsContents: Bool) throws(StatusError) -> [KnownItem]? {
        if let items = itemsByPath(candidates) { return items }
        // One entry that is decrypted anyway, or secrets to compare: the index would not help.
        let asksIndex = !(candidates.count == 1 && needsContents || query.filtersBySecret)
        var known = asksIndex ? keychain.index.attributes(of: candidates, from: store) : [:]
        for candidate in candidates {
            if let (fields, _) = contents[candidate.path] {
                known[candidate.path] = .fields(fields.attributes)
            }
        }
        let missing = candidates.filter { known[$0.path] == nil }
        guard try decrypt(missing.map { ($0.path, $0.location) }) else { return nil }
        if candidates.count > 1, !missing.isEmpty { keychain.index.save(to: store) }
        var items: [KnownItem] = []
        for candidate in candidates {
            if let (fields, version) = contents[candidate.path] {
                try add(candidate, fields.attributes, version, to: &items)
            } else if case .fields(let attributes)? = known[candidate.path] {
                try add(candidate, attributes, candidate.version, to: &items)
            } else if case .unparsable? = known[candidate.path] {
                try leaveOut(candidate.path, .unparsable(candidate.path))
            }
        }
        return items
    }

    /// The items whose paths answer the query without a look into them; nil when one has to be read.
    private func itemsByPath(_ candidates: [Candidate]) -> [KnownItem]? {
        guard query.namesOneEntry, query.reference == nil, query.valuesOutsidePath.isEmpty else { return nil }
        switch query.operation {
        case .copy:
            guard candidates.count == 1, candidates[0].location.outline == nil,
                !ItemResult(wanted: query.wanted).needsAttributes
            else { return nil }
        case .delete: break
        case .add, .update: return nil
        }
        var items: [KnownItem] = []
        for candidate in candidates {
            guard let location = candidate.location.completed(with: query.valuesInPath) else { return nil }
            items.append(candidate.item(at: location, .ordinary))
        }
        return items
    }

    /// Adds the item that `candidate` is, if it is meant still when its whole location is known.
    private func add(
        _ candidate: Candidate,
        _ attributes: ItemAttributes,
        _ version: FileStatus,
        to items: inout [KnownItem]
    ) throws(StatusError) {
        if let location = location(of: candidate, attributes) {
            guard candidate.location.outline == nil || query.admits(location) else { return }
            items.append(candidate.item(at: location, attributes, version))
        } else {
            let isNamed = candidate.location.completed(with: query.valuesInPath) != nil
            try leaveOut(candidate.path, .misnamed(candidate.path), isNamed: isNamed)
        }
    }

    /// Where a candidate is, by its path and, for what that shortens, its fields.
    ///
    /// An entry made with pass has no fields: a query that gives the whole name means it. A reference means what it
    /// names, whatever the fields say.
    private func location(of candidate: Candidate, _ attributes: ItemAttributes) -> ItemLocation? {
        guard candidate.location.outline != nil else { return candidate.location }
        let values = query.valuesInPath.merging(attributes.values) { _, recorded in recorded }
        return candidate.location.completed(with: values)
            ?? (query.reference == nil ? nil : candidate.location)
    }

    /// Adds the secrets, decrypting what was not decrypted yet.
    ///
    /// - Returns: nil when one vanished meanwhile.
    mutating func addContents(to items: [KnownItem]) throws(StatusError) -> [FoundItem]? {
        var places: [(path: Path, location: ItemLocation)] = []
        for item in items { places.append((Path(try item.location.path()), item.location)) }
        guard try decrypt(places.filter { contents[$0.path] == nil }) else { return nil }
        // One that cannot be read was left out, as others of its kind are.
        return zip(items, places).compactMap { item, place in
            contents[place.path].map { fields, version in
                var item = item
                item.version = version
                return FoundItem(item: item, fields: fields)
            }
        }
    }

    /// Decrypts and reads entries; false when one vanished meanwhile.
    private mutating func decrypt(_ places: [(path: Path, location: ItemLocation)]) throws(StatusError)
        -> Bool
    {
        let outcomes = EntryReader(store: store).read(places.map(\.path))
        for (index, (path, outcome)) in outcomes.enumerated() {
            switch outcome {
            case .vanished: return false
            case .failed(let failure): try leaveOut(path, failure)
            case .contents(let bytes, let version, let time):
                let fields = try? ItemFields(reading: bytes, of: places[index].location.itemClass)
                keychain.index.record(path, FileFacts(version), fields?.attributes, readAt: time)
                contents[path] = fields.map { ($0, version) }
                if fields == nil { try leaveOut(path, .unparsable(path)) }
            }
        }
        return true
    }

    /// Goes on without an entry that could not be read, or throws when the query names it or cannot go on.
    private func leaveOut(
        _ path: Path,
        _ failure: StoreFailure,
        isNamed: Bool? = nil
    ) throws(StatusError) {
        let isNamed = isNamed ?? (query.namesOneEntry || query.reference?.hint == path.bytes)
        let isSkipped = query.prompting == .skipped && failure.status == errSecInteractionNotAllowed
        guard isSkipped || failure.concernsOneEntry && !isNamed else {
            throw keychain.statusError(failure, query.operation)
        }
        keychain.log.write(query.operation, "left out: \(failure.cause)")
    }
}

extension Candidate {
    fileprivate func item(
        at location: ItemLocation,
        _ attributes: ItemAttributes,
        _ read: FileStatus? = nil
    ) -> KnownItem {
        let version = read ?? version
        return KnownItem(
            location: location,
            attributes: attributes,
            fileDate: FileFacts(version).date,
            version: version
        )
    }
}

internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// An entry whose path says that it may be meant.
struct Candidate: Sendable {
    let path: Path
    let location: ItemLocation
    /// The facts of its file when it was listed.
    let version: FileStatus
}

extension Keychain {
    /// The items that `query` means, oldest first, and with their secrets if `needsContents`.
    ///
    /// - Throws: the status for the caller; ``StatusError`` with `errSecItemNotFound` when there is none.
    func find(_ query: ItemQuery, needsContents: Bool) throws(StatusError) -> [FoundItem] {
        try groups.check(query.group)
        guard query.itemClass != .identity, query.limit != .nothing else {
            throw StatusError(errSecItemNotFound)
        }
        // An entry that vanished under our hands may have another name by now: look again.
        for _ in 0..<Self.mostAttempts {
            guard let found = try tryFind(query, needsContents: needsContents) else { continue }
            guard !found.isEmpty else { throw StatusError(errSecItemNotFound) }
            return found
        }
        throw statusError(.unsettled, query.operation)
    }

    /// How often a search starts again because somebody changed what it was looking at.
    static let mostAttempts = 20

    /// One attempt; nil when an entry vanished meanwhile.
    private func tryFind(_ query: ItemQuery, needsContents: Bool) throws(StatusError) -> [FoundItem]? {
        var reading = Reading(query: query, keychain: self)
        let candidates = try candidates(for: query, &reading)
        guard let items = try reading.items(of: candidates, needsContents: needsContents) else { return nil }
        var found = items.filter { admits($0, query) }.oldestFirst
        switch query.limit {
        case .one where query.operation == .copy: found = Array(found.prefix(1))
        case .array(let most?): found = Array(found.prefix(most))
        case .one, .array(nil), .nothing: break
        }
        return needsContents ? try reading.addContents(to: found) : found.map { FoundItem(item: $0) }
    }

    /// Whether an item of which everything is known is meant.
    private func admits(_ item: KnownItem, _ query: ItemQuery) -> Bool {
        guard item.matches(query.valuesOutsidePath) else { return false }
        if let reference = query.reference, !reference.names(item) { return false }
        guard item.isOrdinary else { return true }
        // Somebody's password, which no keychain program made: only who names it may have it.
        return switch query.operation {
        case .copy: query.namesPlace || query.reference != nil
        case .add, .update, .delete: query.namesOneEntry
        }
    }
}

extension [KnownItem] {
    /// In the order of answers: by creation, then by path.
    fileprivate var oldestFirst: [KnownItem] {
        let dated = map { (created: $0.created, item: $0) }
        return dated.sorted { one, other in
            guard one.created == other.created else { return one.created < other.created }
            guard let path = try? one.item.location.path(), let otherPath = try? other.item.location.path()
            else { return false }
            return path.lexicographicallyPrecedes(otherPath)
        }.map { $0.item }
    }
}

extension PersistentReference {
    /// Whether it is a reference to `item`: by its UUID, or for an ordinary entry by its path.
    fileprivate func names(_ item: KnownItem) -> Bool {
        guard let identifier = item.attributes.identifier else {
            return self.identifier == Self.ordinary && (try? item.location.path()) == hint
        }
        return identifier == self.identifier
    }
}

// MARK: Candidates

extension Keychain {
    /// The entries that can be meant, by all that a path says.
    private func candidates(
        for query: ItemQuery,
        _ reading: inout Reading
    ) throws(StatusError) -> [Candidate] {
        if let reference = query.reference { return try candidates(for: query, by: reference, &reading) }
        let entries: [ListedEntry]
        if query.itemClass == .genericPassword, query.namesOneEntry, let exact = try exactEntries(query) {
            entries = exact
        } else {
            entries = try allEntries(query.operation)
        }
        return entries.compactMap { candidate($0, query) }
    }

    /// What is at the exact paths of a key; nil when that does not answer the query.
    private func exactEntries(_ query: ItemQuery) throws(StatusError) -> [ListedEntry]? {
        guard let groups = try groupsToLookAt(query) else { return nil }
        let kinds = query.synchronizable.map { [$0] } ?? [false, true]
        var entries: [ListedEntry] = []
        for group in groups {
            for isSynchronizable in kinds {
                var location = ItemLocation(itemClass: query.itemClass, group: group)
                location.isSynchronizable = isSynchronizable
                for (code, value) in query.values { location.set(code, to: value.bytes) }
                let path = try location.path()
                let entry = try answering(query.operation) { () throws(StoreError) in
                    try store.entry(at: Path(path))
                }
                if let entry { entries.append(entry) }
            }
        }
        // With several places to look at, one that moves between them could be missed at each.
        let isCertain = !entries.isEmpty || groups.count * kinds.count == 1 || query.operation != .copy
        return isCertain ? entries : nil
    }

    private func groupsToLookAt(_ query: ItemQuery) throws(StatusError) -> [[UInt8]]? {
        if let group = query.group { return [group] }
        if let declared = groups.declared, !groups.contains([UInt8(ascii: "*")]) { return declared }
        let hasGroups = try answering(query.operation) { () throws(StoreError) in
            try store.presence(of: try EntryName("%groups")).isFolder
        }
        return hasGroups ? nil : [ItemLocation.defaultGroup]
    }

    /// All entries of the store.
    private func allEntries(_ operation: ItemQuery.Operation) throws(StatusError) -> [ListedEntry] {
        try answering(operation) { () throws(StoreError) in
            // A change holds the store's lock already: nothing moves.
            operation == .copy ? try store.entriesAtOneMoment() : try store.entries()
        }
    }

    private func candidate(_ entry: ListedEntry, _ query: ItemQuery) -> Candidate? {
        guard let location = ItemLocation(path: entry.path.bytes), query.admits(location),
            groups.mayContain(location)
        else { return nil }
        return Candidate(path: entry.path, location: location, version: entry.version)
    }

    /// The entry that a reference hints at, if it is the one, and all entries of the class if not.
    private func candidates(
        for query: ItemQuery,
        by reference: PersistentReference,
        _ reading: inout Reading
    ) throws(StatusError) -> [Candidate] {
        if reference.hintedLocation != nil {
            let entry = try answering(query.operation) { () throws(StoreError) in
                try store.entry(at: Path(reference.hint))
            }
            if let entry, let candidate = candidate(entry, query) {
                if let item = try reading.items(of: [candidate], needsContents: false)?.first,
                    reference.names(item)
                {
                    return [candidate]
                }
            }
        }
        guard reference.identifier != PersistentReference.ordinary else { return [] }
        return try allEntries(query.operation).compactMap { candidate($0, query) }
    }
}

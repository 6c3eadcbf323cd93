internal import Foundation

extension Keychain {
    /// Answers a copy query.
    func copy(_ query: ItemQuery) throws(StatusError) -> NSObject? {
        let result = ItemResult(wanted: query.wanted)
        let found = try find(query, needsContents: result.needsContents)
        guard query.limit == .one, let first = found.first else { return try result.answer(for: found) }
        return try result.answer(for: first)
    }
}

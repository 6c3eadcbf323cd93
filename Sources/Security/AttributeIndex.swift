internal import Foundation
internal import PasswordStore
internal import SecretMemory
internal import Synchronization
internal import Unix

/// What the fields of entries say, remembered for as long as their files stay as they are.
///
/// In this process it lives in memory; for the next one it is kept in the user's cache folder, encrypted to the user
/// alone. It holds no secret and none of the user's own lines, and it is never needed for a right answer: without it,
/// more is decrypted.
final class AttributeIndex: Sendable {
    /// What is remembered of one entry.
    enum Known: Sendable, Equatable {
        /// The fields of an item; those of an ordinary entry are usually none.
        case fields(ItemAttributes)
        /// A field of it does not parse.
        case unparsable
    }

    private struct State {
        var known: [Path: (facts: FileFacts, attributes: Known)] = [:]
        var hasLoaded = false
        var isNewer = false
    }

    private let state = Mutex(State())
    private let file: IndexFile?

    /// Makes the index of `store`, whose file is in `folder`; nil for no file.
    init(of store: Store, in folder: Path?) { file = folder.map { IndexFile(of: store, in: $0) } }

    /// What is remembered of `candidates` whose files are as they were then.
    ///
    /// For more than one the file is read, too, once in a process.
    func attributes(of candidates: [Candidate], from store: Store) -> [Path: Known] {
        let (known, hasLoaded) = state.withLock { (lookUp(candidates, in: $0), $0.hasLoaded) }
        guard candidates.count > 1, known.count < candidates.count, !hasLoaded else { return known }
        // Without the lock: the user may be asked for a passphrase, and other threads go on meanwhile. A file that
        // cannot be read now, as the key is locked, is tried again the next time.
        guard let loaded = file?.load(from: store) else { return known }
        return state.withLock { state in
            if !state.hasLoaded {
                state.hasLoaded = true
                state.known.merge(loaded.mapValues { ($0.facts, .fields($0.attributes)) }) { newer, _ in newer
                }
            }
            return lookUp(candidates, in: state)
        }
    }

    private func lookUp(_ candidates: [Candidate], in state: State) -> [Path: Known] {
        var known: [Path: Known] = [:]
        for candidate in candidates {
            guard let entry = state.known[candidate.path], entry.facts == FileFacts(candidate.version)
            else { continue }
            known[candidate.path] = entry.attributes
        }
        return known
    }

    /// Remembers what an entry's fields said; nil when one did not parse.
    ///
    /// A file so young that it could change again without a trace is not remembered.
    func record(_ path: Path, _ facts: FileFacts, _ attributes: ItemAttributes?, readAt time: Date) {
        guard facts.areSettled(at: time) else { return }
        state.withLock { state in
            state.known[path] = (facts, attributes.map { .fields($0.withoutSecrets) } ?? .unparsable)
            state.isNewer = true
        }
    }

    /// Forgets entries that have gone.
    func forget(_ paths: [Path]) {
        state.withLock { state in for path in paths { state.known[path] = nil } }
    }

    /// Writes the file when there is something new for it, and forgets what is not there any more; that this fails does
    /// not matter.
    func save(to store: Store) {
        guard let file else { return }
        let known = state.withLock { state in
            defer { state.isNewer = false }
            return state.isNewer ? state.known : nil
        }
        guard let known, let present = try? store.entriesAtOneMoment() else { return }
        let paths = Set(present.map(\.path))
        state.withLock { state in state.known = state.known.filter { paths.contains($0.key) } }
        var saved: [Path: IndexFile.Entry] = [:]
        for entry in present {
            guard let one = known[entry.path], one.facts == FileFacts(entry.version),
                case .fields(let attributes) = one.attributes
            else { continue }
            saved[entry.path] = IndexFile.Entry(facts: one.facts, attributes: attributes)
        }
        file.save(saved, to: store)
    }
}

extension ItemAttributes {
    /// The same without attributes that are themselves secret.
    fileprivate var withoutSecrets: ItemAttributes {
        var result = self
        result.values = values.filter { _, value in if case .secret = value { false } else { true } }
        return result
    }
}

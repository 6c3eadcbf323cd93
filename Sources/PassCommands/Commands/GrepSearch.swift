internal import PasswordStore
internal import SecretMemory
internal import Unix

/// How `grep` looks through entries: by grep(1), and through several at once to learn that none of them matches.
///
/// Most entries do not match, and a child process for each of them costs a third of what decrypting it does.
struct GrepSearch: Sendable {
    /// What there is to tell about one entry.
    struct Match: Sendable {
        let path: Path
        let outcome: Result<Subprocess.Outcome, StoreError>
    }

    private typealias Entry = (path: Path, contents: EntryContents)

    /// grep(1) with its words.
    private let child: Subprocess
    /// Whether entries may be put together.
    private let judgesEachLineAlone: Bool

    /// How many bytes are put together at most.
    private static let largestGroup = 64 * 1024

    /// Makes the search.
    ///
    /// - Parameters:
    ///   - grep: the program.
    ///   - words: what the user said.
    ///   - environment: what the program gets.
    init(_ grep: Path, _ words: GrepWords, environment: Environment) {
        let colour = Array("--color=always".utf8)
        var child = Subprocess(grep, [colour] + words.words, environment: environment)
        child.name = Array("grep".utf8)
        child.output = .secret
        self.child = child
        judgesEachLineAlone = words.judgesEachLineAlone
    }

    /// What there is to tell about the entries of a batch, in their order.
    func matches(in batch: inout EntryBatch) -> [Match] {
        var matches: [Match] = []
        var group: [Entry] = []
        var size = 0
        while let (path, contents) = batch.next() {
            switch contents {
            case .success(let contents) where judgesEachLineAlone && contents.isText:
                if size + contents.bytes.count > Self.largestGroup {
                    matches += search(group)
                    (group, size) = ([], 0)
                }
                group.append((path, contents))
                size += contents.bytes.count
            default:
                matches += search(group)
                (group, size) = ([], 0)
                matches += [Match(path: path, outcome: contents.flatMap(run))].filter(\.isWorthTelling)
            }
        }
        return matches + search(group)
    }

    private func search(_ group: [Entry]) -> [Match] {
        if group.count > 1, nothingMatches(in: group) { return [] }
        return group.map { Match(path: $0.path, outcome: run($0.contents)) }.filter(\.isWorthTelling)
    }

    private func nothingMatches(in group: [Entry]) -> Bool {
        let newline = UInt8(ascii: "\n")
        var text = SecretBuffer(capacity: Self.largestGroup)
        for (_, contents) in group {
            text.append(contents.bytes)
            if contents.bytes.withBytes({ !$0.isEmpty && $0[$0.count - 1] != newline }) {
                text.append(newline)
            }
        }
        guard case .success(let outcome) = run(EntryContents(text.finish())) else { return false }
        return outcome.status == 1 && outcome.errorOutput.isEmpty
    }

    private func run(_ contents: EntryContents) -> Result<Subprocess.Outcome, StoreError> {
        var child = child
        child.input = .secret(contents.bytes)
        do throws(Errno) {
            return .success(try child.run())
        } catch {
            return .failure(.file(error))
        }
    }
}

extension GrepSearch.Match {
    /// Whether anything is printed for it.
    fileprivate var isWorthTelling: Bool {
        guard case .success(let outcome) = outcome else { return true }
        return outcome.status == 0 || !outcome.errorOutput.isEmpty
    }
}

extension EntryContents {
    /// Whether grep(1) takes it for text in any locale: UTF-8 without a zero byte.
    fileprivate var isText: Bool {
        bytes.withBytes { bytes in
            guard (try? UTF8Span(validating: bytes)) != nil else { return false }
            return bytes.indices.allSatisfy { bytes[$0] != 0 }
        }
    }
}

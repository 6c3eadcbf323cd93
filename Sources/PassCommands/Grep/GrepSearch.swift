internal import PasswordStore
internal import SecretMemory
internal import Unix

/// How `grep` looks through entries: by grep(1), and through several at once where they can be told apart afterwards.
///
/// A child process for each entry costs a third of what decrypting it does. Where the lines are not to be told apart,
/// one search tells at least that none of several entries matches, as most do not.
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
    /// The same with its lines numbered; `nil` where they must come as they are.
    private let numberingChild: Subprocess?

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
        // These colour the numbers otherwise, and take words behind the search string for names of files.
        let isUsual = ["GREP_COLORS", "GREP_COLOR", "POSIXLY_CORRECT"].allSatisfy { environment[$0] == nil }
        guard isUsual, words.printsMatchingLines else {
            numberingChild = nil
            return
        }
        child.arguments.insert(Array("--line-number".utf8), at: 0)
        numberingChild = child
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
                let match = Match(path: path, outcome: contents.flatMap(run))
                if match.isWorthTelling { matches.append(match) }
                if match.endsSearch { return matches }
            }
        }
        return matches + search(group)
    }

    private func search(_ group: [Entry]) -> [Match] {
        if group.count > 1, let matches = searchAtOnce(group) { return matches }
        return group.map { Match(path: $0.path, outcome: run($0.contents)) }.filter(\.isWorthTelling)
    }

    /// What one search finds in all entries of a group; `nil` where only searching each of them can tell.
    private func searchAtOnce(_ group: [Entry]) -> [Match]? {
        var text = GrepText(capacity: Self.largestGroup)
        for (_, contents) in group { text.append(contents.bytes) }
        let lineCounts = text.lineCounts
        let contents = EntryContents(text.finish())
        guard case .success(let outcome) = run(contents, numberingChild ?? child), outcome.errorOutput.isEmpty
        else { return nil }
        if outcome.status == 1 { return [] }
        guard outcome.status == 0, numberingChild != nil,
            let outputs = GrepText.split(outcome.secretOutput, lineCounts: lineCounts)
        else { return nil }
        return zip(group, outputs).compactMap { entry, output in
            guard let output else { return nil }
            var outcome = outcome
            outcome.secretOutput = output
            return Match(path: entry.path, outcome: .success(outcome))
        }
    }

    private func run(_ contents: EntryContents) -> Result<Subprocess.Outcome, StoreError> {
        run(contents, child)
    }

    private func run(_ contents: EntryContents, _ child: Subprocess) -> Result<Subprocess.Outcome, StoreError>
    {
        var child = child
        child.input = .secret(contents.bytes)
        return Result { () throws(StoreError) in
            try Store.patiently { () throws(StoreError) in
                do throws(Errno) {
                    return try child.run()
                } catch {
                    throw .file(error)
                }
            }
        }
    }
}

extension GrepSearch.Match {
    /// Whether it is no use to go on: the next entry would fail in the same way.
    var endsSearch: Bool {
        guard case .failure(let error) = outcome else { return false }
        return error.concernsEveryEntry
    }

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

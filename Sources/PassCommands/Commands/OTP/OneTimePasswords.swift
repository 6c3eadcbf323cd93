internal import OneTimePassword
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// The one-time passwords of a store: key URIs in a line of an entry, as pass-otp keeps them.
struct OneTimePasswords: Sendable {
    /// Why there is no code.
    enum Problem: Error, Hashable, Sendable {
        /// The store could not do it.
        case store(StoreError)
        /// The key URI of an entry is no good, or one that was typed.
        case keyURI(OTPError)
        /// The entry has no key URI.
        case noKeyURI(EntryName)
    }

    private let store: Store

    /// How often a code is tried anew because somebody else took one at the same time.
    private static let attempts = 20

    /// Reaches the one-time passwords of `store`.
    init(_ store: Store) { self.store = store }

    /// Decrypts an entry and says which version of its file that was, for ``append(_:to:whichHolds:version:)``.
    ///
    /// - Throws: ``Problem``.
    func readVersioned(
        _ name: EntryName
    ) throws(Problem) -> (contents: EntryContents, version: FileStatus) {
        try asProblem { () throws(StoreError) in try store.readVersioned(name) }
    }

    /// The key URI of an entry.
    ///
    /// - Throws: ``Problem``.
    func uri(of name: EntryName) throws(Problem) -> OTPAuthURI {
        let contents = try asProblem { () throws(StoreError) in try store.read(name) }
        return try line(of: name, in: contents.bytes).uri
    }

    /// The code of an entry for a time.
    ///
    /// `seconds` counts from the start of 1970, UTC. For a counted password the entry is written first, with the next
    /// number, and the code is that number's: no code is given out twice, whoever else asks at the same time.
    ///
    /// - Throws: ``Problem``; the counter is then as it was.
    func code(
        of name: EntryName,
        at seconds: UInt64
    ) throws(Problem) -> (code: SecretBytes, receipt: Receipt?) {
        var attempt = 1
        while true {
            let (contents, version) = try readVersioned(name)
            let (line, uri) = try line(of: name, in: contents.bytes)
            guard let next = try asProblem({ () throws(OTPError) in try uri.countedOn() }) else {
                return (try asProblem { () throws(OTPError) in try uri.code(at: seconds) }, nil)
            }
            let code = try asProblem { () throws(OTPError) in try next.code(at: seconds) }
            do throws(StoreError) {
                let receipt = try store.write(
                    line.replacing(with: next, in: contents.bytes),
                    to: name,
                    message: message("Increment HOTP counter for ", name, "."),
                    existing: .expect(version)
                )
                return (code, receipt)
            } catch .changedMeanwhile where attempt < OneTimePasswords.attempts {
                attempt += 1
            } catch {
                throw .store(error)
            }
        }
    }

    /// Makes an entry that holds nothing but a key URI.
    ///
    /// - Throws: ``Problem``; the entry is then as it was.
    func insert(_ uri: OTPAuthURI, as name: EntryName, existing: Existing) throws(Problem) -> Receipt {
        var contents = SecretBuffer(capacity: uri.text.count + 1)
        contents.append(uri.text)
        contents.append(UInt8(ascii: "\n"))
        let bytes = contents.finish()
        return try asProblem { () throws(StoreError) in
            try store.write(
                bytes,
                to: name,
                message: message("Add OTP secret for ", name, " to store."),
                existing: existing
            )
        }
    }

    /// Puts a key URI into an entry that exists: in the place of the first one, or as one more line.
    ///
    /// `contents` and `version` are what the caller read, and showed a question for.
    ///
    /// - Throws: ``Problem``; the entry is then as it was.
    func append(
        _ uri: OTPAuthURI,
        to name: EntryName,
        whichHolds contents: EntryContents,
        version: FileStatus
    ) throws(Problem) -> Receipt {
        let line = OTPAuthLine(firstIn: contents.bytes)
        let bytes =
            line?.replacing(with: uri, in: contents.bytes)
            ?? OTPAuthLine.appending(uri, to: contents.bytes)
        let verb = line == nil ? "Append" : "Replace"
        return try asProblem { () throws(StoreError) in
            try store.write(
                bytes,
                to: name,
                message: message("\(verb) OTP secret for ", name, "."),
                existing: .expect(version)
            )
        }
    }

    private func line(
        of name: EntryName,
        in contents: SecretBytes
    ) throws(Problem) -> (line: OTPAuthLine, uri: OTPAuthURI) {
        guard let line = OTPAuthLine(firstIn: contents) else { throw .noKeyURI(name) }
        return (line, try asProblem { () throws(OTPError) in try line.uri(in: contents) })
    }

    /// A commit's text, as pass-otp words it.
    private func message(_ start: String, _ name: EntryName, _ end: String) -> [UInt8] {
        Array(start.utf8) + name.bytesWithoutTrailingSlash + Array(end.utf8)
    }
}

private func asProblem<Result>(_ body: () throws(StoreError) -> Result) throws(OneTimePasswords.Problem)
    -> Result
{
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}

private func asProblem<Result>(_ body: () throws(OTPError) -> Result) throws(OneTimePasswords.Problem)
    -> Result
{
    do throws(OTPError) { return try body() } catch { throw .keyURI(error) }
}

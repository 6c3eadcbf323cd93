package import OneTimePassword
package import PasswordStore
package import SecretMemory

/// The one-time passwords of a store: key URIs in a line of an entry, as pass-otp keeps them.
package struct OneTimePasswords: Sendable {
    /// Why there is no code.
    package enum Failure: Error, Hashable, Sendable {
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
    package init(_ store: Store) { self.store = store }

    /// The key URI of an entry.
    ///
    /// - Throws: ``Failure``.
    package func uri(of name: EntryName) throws(Failure) -> OTPAuthURI {
        let contents = try asFailure { () throws(StoreError) in try store.read(name) }
        return try line(of: name, in: contents.bytes).uri
    }

    /// The code of an entry for a time.
    ///
    /// `seconds` counts from the start of 1970, UTC. For a counted password the entry is written first, with the next
    /// number, and the code is that number's: no code is given out twice, whoever else asks at the same time.
    ///
    /// - Throws: ``Failure``; the counter is then as it was.
    package func code(
        of name: EntryName,
        at seconds: UInt64
    ) throws(Failure) -> (code: SecretBytes, receipt: Receipt?) {
        for attempt in 1... {
            let (contents, version) = try asFailure { () throws(StoreError) in
                try store.readVersioned(name)
            }
            let (line, uri) = try line(of: name, in: contents.bytes)
            guard let next = try asFailure({ () throws(OTPError) in try uri.countedOn() }) else {
                return (try asFailure { () throws(OTPError) in try uri.code(at: seconds) }, nil)
            }
            let code = try asFailure { () throws(OTPError) in try next.code(at: seconds) }
            do throws(StoreError) {
                let receipt = try store.write(
                    line.replacing(with: next, in: contents.bytes),
                    to: name,
                    message: message("Increment HOTP counter for ", name, "."),
                    existing: .expect(version)
                )
                return (code, receipt)
            } catch .changedMeanwhile where attempt < OneTimePasswords.attempts {
                continue
            } catch {
                throw .store(error)
            }
        }
    }

    /// Makes an entry that holds nothing but a key URI.
    ///
    /// - Throws: ``Failure``; the entry is then as it was.
    package func insert(_ uri: OTPAuthURI, as name: EntryName, existing: Existing) throws(Failure) -> Receipt {
        var contents = SecretBuffer(capacity: uri.text.count + 1)
        contents.append(uri.text)
        contents.append(UInt8(ascii: "\n"))
        let bytes = contents.finish()
        return try asFailure { () throws(StoreError) in
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
    /// - Throws: ``Failure``; the entry is then as it was.
    package func append(
        _ uri: OTPAuthURI,
        to name: EntryName,
        whichHolds contents: EntryContents,
        version: Existing
    ) throws(Failure) -> Receipt {
        let line = OTPAuthLine(firstIn: contents.bytes)
        let bytes =
            line?.replacing(with: uri, in: contents.bytes)
            ?? OTPAuthLine.appending(uri, to: contents.bytes)
        let verb = line == nil ? "Append" : "Replace"
        return try asFailure { () throws(StoreError) in
            try store.write(
                bytes,
                to: name,
                message: message("\(verb) OTP secret for ", name, "."),
                existing: version
            )
        }
    }

    private func line(
        of name: EntryName,
        in contents: SecretBytes
    ) throws(Failure) -> (line: OTPAuthLine, uri: OTPAuthURI) {
        guard let line = OTPAuthLine(firstIn: contents) else { throw .noKeyURI(name) }
        return (line, try asFailure { () throws(OTPError) in try line.uri(in: contents) })
    }

    /// A commit's text, as pass-otp words it.
    private func message(_ start: String, _ name: EntryName, _ end: String) -> [UInt8] {
        Array(start.utf8) + name.bytesWithoutTrailingSlash + Array(end.utf8)
    }
}

private func asFailure<Result>(_ body: () throws(StoreError) -> Result) throws(OneTimePasswords.Failure) -> Result {
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}

private func asFailure<Result>(_ body: () throws(OTPError) -> Result) throws(OneTimePasswords.Failure) -> Result {
    do throws(OTPError) { return try body() } catch { throw .keyURI(error) }
}

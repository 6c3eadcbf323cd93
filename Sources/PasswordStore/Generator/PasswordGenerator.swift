public import SecretMemory
internal import Unix

/// Makes passwords of random characters.
public enum PasswordGenerator {
    /// Why a password could not be made.
    public enum Failure: Error, Hashable, Sendable {
        /// The length is not written in digits.
        case lengthIsNoNumber
        /// The length is 0.
        case lengthIsZero
        /// The length is more than ``PasswordGenerator/maximumLength``.
        case lengthIsTooLarge
        /// The characters hold a newline or a NUL, which cannot be in the first line of an entry.
        case charactersBreakLine
        /// The kernel gave no random bytes; the number is as in `errno(3)`.
        case noRandomness(code: Int32)
    }

    /// The most characters that a password may have.
    public static let maximumLength = 1 << 20

    /// Reads a length as `pass generate` takes it: decimal digits, at least 1.
    ///
    /// Zeroes in front mean nothing: `08` is 8.
    public static func length(_ text: [UInt8]) throws(Failure) -> Int {
        guard !text.isEmpty, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .lengthIsNoNumber
        }
        let digits = text.drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty else { throw .lengthIsZero }
        guard let length = Int(String(decoding: digits, as: UTF8.self)), length <= maximumLength else {
            throw .lengthIsTooLarge
        }
        return length
    }

    /// Makes a password of `length` characters, each chosen by itself, and all with the same probability.
    ///
    /// - Precondition: `length` is not negative.
    public static func generate(length: Int, from set: CharacterSet) throws(Failure) -> SecretBytes {
        guard length <= maximumLength else { throw .lengthIsTooLarge }
        let characters = set.characters
        guard !characters.contains([UInt8(ascii: "\n")]), !characters.contains([0]) else {
            throw .charactersBreakLine
        }
        var password = SecretBuffer(capacity: length)
        var missing = length
        while missing > 0 {
            let words = try randomWords(min(missing, wordsAtOnce))
            words.withBytes { words in
                for start in stride(from: 0, to: words.count, by: wordSize) {
                    var word: UInt32 = 0
                    for place in start..<start + wordSize { word = word << 8 | UInt32(words[place]) }
                    guard let choice = choose(one: UInt32(characters.count), by: word) else { continue }
                    let character = characters[Int(choice)]
                    password.append(character.span)
                    missing -= 1
                }
            }
        }
        return password.finish()
    }

    private static let wordSize = 4
    private static let wordsAtOnce = 1024

    /// Random words, each of four bytes.
    ///
    /// They say what the password is, and so they are as secret.
    private static func randomWords(_ count: Int) throws(Failure) -> SecretBytes {
        var buffer = SecretBuffer(capacity: count * wordSize)
        do {
            try Randomness.append(count * wordSize, to: &buffer)
        } catch {
            throw .noRandomness(code: error.code)
        }
        return buffer.finish()
    }

    /// One of the numbers below `count`; `nil` for the words that are left over when all are dealt out evenly.
    static func choose(one count: UInt32, by word: UInt32) -> UInt32? {
        let leftOver = (UInt32.max % count + 1) % count
        return word <= .max - leftOver ? word % count : nil
    }
}

import Foundation
import TestSupport
import Testing

/// Calls `check` with each input, and records one issue for the first that it has something to say about.
///
/// A crash ends the tests; `FUZZ_INPUTS` and `TEST_SEED` bring it about again.
///
/// - Parameters:
///   - corpus: the name of a folder in `Corpus`.
///   - tokens: words of the language.
///   - check: answers whether the input was understood, or throws what is wrong with the answer.
/// - Throws: an error when the corpus cannot be read.
func fuzz(
    _ corpus: String,
    _ tokens: [String] = [],
    _ check: ([UInt8]) throws -> Bool
) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(corpus)")
    var inputs = try Mutator(corpus: folder, tokens: tokens)
    var understood = 0
    for number in 0..<Fuzz.inputs {
        let input = inputs.next()
        do {
            if try check(input) { understood += 1 }
        } catch {
            let hexadecimal = input.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            Issue.record("input \(number), \(hexadecimal): \(error)")
            return
        }
    }
    // A loop that only ever meets one kind of answer tests nothing.
    #expect(understood > Fuzz.inputs / 100 && understood < Fuzz.inputs, "\(understood) of \(Fuzz.inputs)")
}

/// What is wrong with a parser's answer.
struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Wrong(what()) }
}

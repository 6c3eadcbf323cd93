import Testing

@testable import PassCommands

@Suite struct NamePatternTests {
    private func matches(_ name: String, _ terms: [String]) -> Bool {
        NamePattern(terms: terms.map { Array($0.utf8) }).matches(Array(name.utf8)[...])
    }

    @Test(arguments: [
        ("fish", "abc fish def"), ("FiSh", "fIsH"), ("f?sh", "fish"), ("f*h", "f is h"), ("**sh", "a fish"),
        ("a**b", "xaybz"), ("[f-g]ish", "GISH"), ("[^a-e]ish", "fish"), ("[abf]", "f"), ("[\\]]", "a]"),
        ("\\*", "a*b"), ("\\?", "?"), ("a|b", "za"), ("a|b", "bz"), ("", "anything"), ("|", "anything"),
        ("[", "a[b"), ("[ab", "x[ab"), ("[a-", "[a-"), ("\\", "a\\b"), ("[^]x", "[^]x"), ("a||b", "a"),
        ("[a-]", "a"),
        ("*a*a*a*", "banana"),
    ])
    func findsIn(_ term: String, _ name: String) { #expect(matches(name, [term])) }

    @Test(arguments: [
        ("fish", "fis"), ("f?sh", "fsh"), ("[^f]ish", "fish"), ("[b-a]", "ab"), ("\\*", "ab"), ("a|b", "az"),
        ("a|b", "zb"), ("[]", "]x"), ("[", "ab"), ("a||b", "c"), ("x*y", "yx"), ("\u{E9}", "e"),
        ("aaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ])
    func doesNotFindIn(_ term: String, _ name: String) { #expect(!matches(name, [term])) }

    @Test func oneOfSeveralTermsIsEnough() {
        #expect(matches("a cat", ["dog", "cat"]))
        #expect(!matches("a cow", ["dog", "cat"]))
    }

    @Test func manyStarsTakeNoExponentialTime() {
        let term = String(repeating: "*a", count: 200)
        #expect(!matches(String(repeating: "a", count: 150) + "b", [term]))
    }
}

import CommandGrammar

@testable import passchain_docs

extension Sample {
    static let scripts = CompletionScripts(
        program: "passchain",
        dropIn: "pass",
        commands: all,
        fallback: show
    )
}

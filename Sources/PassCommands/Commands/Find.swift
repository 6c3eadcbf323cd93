internal import CommandGrammar

/// `pass find`: lists the entries and folders whose names match.
enum Find: PassCommand {
    static let command = Command(
        "find",
        aliases: ["search"],
        summary: "List passwords that match pass-names.",
        synopsis: "pass-names...",
        discussion: [
            "Under the name passchain, --json as the first word prints the tree as show --json does. In the place of "
                + "pass it is looked for like any other word."
        ],
        operands: [Operand("pass-names", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        if session.asksForJSON(arguments) {
            let terms = Array(arguments.operands.dropFirst())
            guard !terms.isEmpty else { throw session.usage(of: command) }
            return try ListingJSON.printMatches(of: terms, in: session)
        }
        let terms = arguments.operands.joined(separator: ",".utf8)
        try session.output.line("Search Terms: \(Array(terms))")
        try Listing.printMatches(of: arguments.operands, in: session)
    }
}

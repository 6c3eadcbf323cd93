internal import CommandGrammar

/// `pass find`: lists the entries and folders whose names match.
enum Find: PassCommand {
    static let json = Option(
        "json",
        summary: "As the first word: print the tree in JSON, as show --json does."
    )

    static let command = Command(
        "find",
        aliases: ["search"],
        summary: "List passwords that match pass-names.",
        synopsis: "pass-names...",
        discussion: [
            "In the place of pass, --json is looked for like any other word."
        ],
        options: [.any(json)],
        operands: [Operand("pass-names", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        if arguments.contains(json) {
            return try ListingJSON.printMatches(of: arguments.operands, in: session)
        }
        let terms = arguments.operands.joined(separator: ",".utf8)
        try session.output.line("Search Terms: \(Array(terms))")
        try Listing.printMatches(of: arguments.operands, in: session)
    }
}

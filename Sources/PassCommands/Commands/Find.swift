internal import CommandGrammar

/// `pass find`: lists the entries and folders whose names match.
enum Find: PassCommand {
    static let command = Command(
        "find",
        aliases: ["search"],
        summary: "List passwords that match pass-names.",
        operands: [Operand("pass-names", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let terms = arguments.operands.joined(separator: ",".utf8)
        try session.output.line("Search Terms: \(Array(terms))")
        try Listing.printMatches(of: arguments.operands, in: session)
    }
}

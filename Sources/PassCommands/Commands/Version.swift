internal import CommandGrammar

/// `pass version`: which pass this is.
enum Version: PassCommand {
    /// This program's own version.
    static let number = "0.1.0"

    /// The version of pass that it behaves as; programs look for `v` and a number in the output.
    static let passNumber = "1.7.4"

    static let json = Option(
        "json",
        summary:
            "As the first word: print the name, the version, and that of pass that it behaves as, in JSON."
    )

    static let command = Command(
        "version",
        aliases: ["--version"],
        summary: "Show version information.",
        synopsis: "",
        discussion: [
            "In the place of pass, --json is passed over like any other word."
        ],
        options: [.any(json)],
        operands: [Operand("word", completes: .nothing, occurs: .anyNumber)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        guard arguments.contains(json) else { return try print(in: session) }
        var json = JSONText()
        json.beginObject()
        json.key("name")
        json.string("passchain")
        json.key("version")
        json.string(number)
        json.key("pass")
        json.string(passNumber)
        json.endObject()
        try session.output.write(json.finish())
    }

    /// Prints the banner, in the ten lines and with the second line that programs expect.
    static func print(in session: Session) throws(Failure) {
        let lines = [
            "pass: the standard unix password manager", "", "v\(passNumber)", "", "as understood by",
            "passchain \(number)", "", "",
        ]
        let width = 40
        let frame = String(repeating: "=", count: width + 4)
        try session.output.line("\(frame)")
        for line in lines {
            let left = (width - line.count) / 2
            let right = width - line.count - left
            let padded = String(repeating: " ", count: left) + line + String(repeating: " ", count: right)
            try session.output.line("= \(padded) =")
        }
        try session.output.line("\(frame)")
    }
}

package import CommandGrammar
import Testing

/// The subcommands of pass 1.7.4 as far as the grammar is concerned.
enum Sample {
    static let path = Option(
        "path",
        "p",
        value: .required("subfolder"),
        completes: .folder,
        summary: "Apply to this subfolder only."
    )
    static let clip = Option(
        "clip",
        "c",
        value: .optional("line-number"),
        summary: "Put the line on the clipboard."
    )
    static let qrcode = Option(
        "qrcode",
        "q",
        value: .optional("line-number"),
        summary: "Show the line as a QR code."
    )
    static let echo = Option("echo", "e", summary: "Show the password while it is typed.")
    static let multiline = Option("multiline", "m", summary: "Read until the end of input.")
    static let force = Option("force", "f", summary: "Overwrite without a question.")
    static let noSymbols = Option("no-symbols", "n", summary: "Use letters and digits only.")
    static let clipSwitch = Option("clip", "c", summary: "Put the password on the clipboard.")
    static let qrcodeSwitch = Option("qrcode", "q", summary: "Show the password as a QR code.")
    static let inPlace = Option("in-place", "i", summary: "Replace the first line only.")
    static let recursive = Option("recursive", "r", summary: "Remove a folder with all it holds.")

    static let initialize = Command(
        "init",
        summary: "Make or change a store.",
        discussion: ["Writes the given ids into `.gpg-id`."],
        options: [.any(path)],
        operands: [Operand("gpg-id", completes: .keyID, occurs: .oneOrMore)]
    )
    static let show = Command(
        "show",
        aliases: ["ls", "list"],
        summary: "Show an entry or list a folder.",
        synopsis:
            "[--clip[=line-number],-c[line-number]] [--qrcode[=line-number],-q[line-number]] [pass-name]",
        options: [.oneOf(clip, qrcode)],
        operands: [Operand("pass-name", completes: .entryOrFolder, occurs: .optionalIgnoringMore)]
    )
    static let json = Option("json", summary: "Print them in JSON.")
    static let find = Command(
        "find",
        aliases: ["search"],
        summary: "List entries whose names match.",
        synopsis: "pass-names...",
        options: [.any(json)],
        operands: [Operand("pass-names", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )
    static let grep = Command(
        "grep",
        summary: "Search in what entries hold.",
        synopsis: "[GREPOPTIONS] search-string",
        operands: [Operand("search-string", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )
    static let insert = Command(
        "insert",
        aliases: ["add"],
        summary: "Insert a new password.",
        options: [.oneOf(echo, multiline), .any(force)],
        operands: [Operand("pass-name", completes: .entryOrFolder)]
    )
    static let edit = Command(
        "edit",
        summary: "Edit an entry.",
        operands: [Operand("pass-name", completes: .entry)],
        parsing: .verbatim
    )
    static let generate = Command(
        "generate",
        summary: "Generate a password.",
        synopsis:
            "[--no-symbols,-n] [--clip,-c] [--qrcode,-q] [--in-place,-i | --force,-f] pass-name [pass-length]",
        options: [.any(noSymbols), .oneOf(clipSwitch, qrcodeSwitch), .oneOf(inPlace, force)],
        operands: [
            Operand("pass-name", completes: .entryOrFolder),
            Operand("pass-length", completes: .nothing, occurs: .optional),
        ]
    )
    static let remove = Command(
        "rm",
        aliases: ["remove", "delete"],
        summary: "Remove an entry or a folder.",
        options: [.any(recursive), .any(force)],
        operands: [Operand("pass-name", completes: .entryOrFolder)]
    )
    static let move = Command(
        "mv",
        aliases: ["rename"],
        summary: "Rename or move an entry or a folder.",
        options: [.any(force)],
        operands: [
            Operand("old-path", completes: .entryOrFolder), Operand("new-path", completes: .entryOrFolder),
        ]
    )
    static let git = Command(
        "git",
        summary: "Run git in the store.",
        operands: [Operand("git-command-args", completes: .gitSubcommand, occurs: .anyNumber)],
        parsing: .verbatim
    )
    static let issuer = Option("issuer", "i", value: .required("issuer"), summary: "Whom it is with.")
    static let code = Command(
        "code",
        aliases: ["display"],
        summary: "Show a code.",
        options: [.any(clipSwitch)],
        operands: [Operand("pass-name", completes: .entry)]
    )
    static let enrol = Command(
        "enrol",
        aliases: ["take"],
        summary: "Take a ticket in.",
        options: [.any(force), .any(issuer)],
        operands: [Operand("pass-name", completes: .entryOrFolder)]
    )
    static let ticket = Command(
        "ticket",
        summary: "Manage tickets.",
        discussion: ["A ticket is a line."],
        subcommands: [code, enrol],
        parsing: .verbatim
    )
    static let help = Command(
        "help",
        aliases: ["--help"],
        summary: "Show this text.",
        synopsis: "",
        operands: [
            Operand("command", completes: .command, occurs: .optional),
            Operand("subcommand", completes: .subcommand, occurs: .anyNumber),
        ],
        parsing: .verbatim
    )
    static let complete = Command(
        "complete",
        summary: "Answer a shell.",
        operands: [Operand("kind", completes: .nothing, occurs: .anyNumber)],
        isHidden: true
    )

    static let all = [
        initialize, show, find, grep, insert, edit, generate, remove, move, git, ticket, help,
        complete,
    ]
}

extension Command: CustomTestStringConvertible {
    package var testDescription: String { name }
}

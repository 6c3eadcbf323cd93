/// The prose of a manual page, which the descriptions of commands cannot give.
///
/// Texts are plain; what stands between backquotes is printed as a literal: `` "Reads `.gpg-id` files." ``.
struct ManPageText: Sendable {
    /// A variable of the environment.
    struct Variable: Hashable, Sendable {
        /// Its name, without a dollar sign.
        let name: String
        /// What counts when it is not set, if anything: a literal between backquotes, or words.
        let defaultValue: String?
        /// What it does.
        let text: String

        /// Describes a variable.
        init(_ name: String, default defaultValue: String? = nil, _ text: String) {
            self.name = name
            self.defaultValue = defaultValue
            self.text = text
        }
    }

    /// Something and what there is to say about it: a file, an exit status.
    struct Item: Hashable, Sendable {
        /// The thing itself, literally.
        let label: String
        /// What there is to say.
        let text: String

        /// Pairs a label with a text.
        init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// Lines to type, and what they do.
    struct Example: Hashable, Sendable {
        /// What the lines do.
        let text: String
        /// The lines, literally.
        let lines: [String]

        /// Pairs lines with their explanation.
        init(_ text: String, _ lines: String...) {
            self.text = text
            self.lines = lines
        }
    }

    /// The day of the last change, as mdoc wants it: `January 31, 2026`.
    var date: String
    /// What the tool is, in a few words without a period.
    var tagline: String
    /// The paragraphs of DESCRIPTION.
    var description: [String]
    /// The variables of ENVIRONMENT.
    var environment: [Variable]
    /// The paths of FILES.
    var files: [Item]
    /// The numbers of EXIT STATUS.
    var exitStatus: [Item]
    /// The lines of EXAMPLES.
    var examples: [Example]
    /// The paragraphs of COMPATIBILITY.
    var compatibility: [String]
    /// The pages of SEE ALSO: `gpg(1)`.
    var seeAlso: [String]

    /// Collects the prose of a page.
    init(
        date: String,
        tagline: String,
        description: [String],
        environment: [Variable],
        files: [Item],
        exitStatus: [Item],
        examples: [Example],
        compatibility: [String],
        seeAlso: [String]
    ) {
        self.date = date
        self.tagline = tagline
        self.description = description
        self.environment = environment
        self.files = files
        self.exitStatus = exitStatus
        self.examples = examples
        self.compatibility = compatibility
        self.seeAlso = seeAlso
    }
}

/// The prose of a manual page, which the descriptions of commands cannot give.
///
/// Texts are plain; what stands between backquotes is printed as a literal: `` "Reads `.gpg-id` files." ``.
public struct ManPageText: Sendable {
    /// A variable of the environment.
    public struct Variable: Hashable, Sendable {
        /// Its name, without a dollar sign.
        public let name: String
        /// What counts when it is not set, if anything.
        public let defaultValue: String?
        /// What it does.
        public let text: String

        /// Describes a variable.
        public init(_ name: String, default defaultValue: String? = nil, _ text: String) {
            self.name = name
            self.defaultValue = defaultValue
            self.text = text
        }
    }

    /// Something and what there is to say about it: a file, an exit status.
    public struct Item: Hashable, Sendable {
        /// The thing itself, literally.
        public let label: String
        /// What there is to say.
        public let text: String

        /// Pairs a label with a text.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// Lines to type, and what they do.
    public struct Example: Hashable, Sendable {
        /// What the lines do.
        public let text: String
        /// The lines, literally.
        public let lines: [String]

        /// Pairs lines with their explanation.
        public init(_ text: String, _ lines: String...) {
            self.text = text
            self.lines = lines
        }
    }

    /// The day of the last change, as mdoc wants it: `January 31, 2026`.
    public var date: String
    /// What the tool is, in a few words without a period.
    public var tagline: String
    /// The paragraphs of DESCRIPTION.
    public var description: [String]
    /// The variables of ENVIRONMENT.
    public var environment: [Variable]
    /// The paths of FILES.
    public var files: [Item]
    /// The numbers of EXIT STATUS.
    public var exitStatus: [Item]
    /// The lines of EXAMPLES.
    public var examples: [Example]
    /// The paragraphs of COMPATIBILITY.
    public var compatibility: [String]
    /// The pages of SEE ALSO: `gpg(1)`.
    public var seeAlso: [String]

    /// Collects the prose of a page.
    public init(
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

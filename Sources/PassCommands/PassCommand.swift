internal import CommandGrammar

/// A subcommand: what it is called and takes, and what it does.
///
/// A command is added in one place: a file in `Commands` and a line in ``CommandTable``.
protocol PassCommand: SendableMetatype {
    /// What parsing, usage, help, completions and the man page are made of.
    static var command: Command { get }

    /// Whether it may change the store, and so first has to see to what an interrupted change left.
    static var changesStore: Bool { get }

    /// Does the work.
    static func run(_ arguments: Arguments, in session: Session) throws(Failure)
}

extension PassCommand {
    static var changesStore: Bool { false }
}

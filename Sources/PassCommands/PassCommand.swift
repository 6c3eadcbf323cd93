internal import CommandGrammar

/// A subcommand: what it is called and takes, and what it does.
///
/// A command is added in one place: a file in `Commands` and a line in ``CommandTable``.
protocol PassCommand: SendableMetatype {
    /// What parsing, usage, help, completions and the man page are made of.
    static var command: Command { get }

    /// Does the work.
    static func run(_ arguments: Arguments, in session: Session) throws(Failure)
}

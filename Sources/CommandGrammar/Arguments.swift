/// What a user gave a command: options and operands.
public struct Arguments: Hashable, Sendable {
    /// An option as often as it was given, in the order it was given.
    struct Given: Hashable, Sendable {
        let option: Option
        let value: Word?
    }

    let given: [Given]

    /// The words that are no options, in their order.
    public let operands: [Word]

    /// Whether `option` was given at least once.
    public func contains(_ option: Option) -> Bool { given.contains { $0.option == option } }

    /// The value of `option`, or nil when it was not given or has no value.
    ///
    /// The last time counts: after `-c3 -c` there is no value.
    public func value(_ option: Option) -> Word? { given.last { $0.option == option }?.value }

    /// The operand at `index`, or nil when there are fewer.
    public func operand(_ index: Int) -> Word? { operands.indices.contains(index) ? operands[index] : nil }
}

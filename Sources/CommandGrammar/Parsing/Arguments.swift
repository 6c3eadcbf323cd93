/// What a user gave a command: options and operands.
package struct Arguments: Hashable, Sendable {
    /// An option as often as it was given, in the order it was given.
    struct Given: Hashable, Sendable {
        let option: Option
        let value: Word?
    }

    let given: [Given]

    /// The words that are no options, in their order.
    package let operands: [Word]

    /// Whether `option` was given at least once.
    package func contains(_ option: Option) -> Bool { given.contains { $0.option == option } }

    /// The value of `option`, or nil when it was not given or has no value.
    ///
    /// The last time counts: after `-c3 -c` there is no value.
    package func value(_ option: Option) -> Word? { given.last { $0.option == option }?.value }

    /// The operand at `index`, or nil when there are fewer.
    package func operand(_ index: Int) -> Word? { operands.indices.contains(index) ? operands[index] : nil }
}

internal import Unix

/// The options of `PASSWORD_STORE_GPG_OPTS` as a gpg can take them that GPGME starts.
///
/// Such a gpg has no descriptors but those that GPGME gives it. So GPGME hands on its status lines, and asks for the
/// passphrase. gpg's own messages, commands and attributes are GPGME's alone.
struct GnuPGOptions {
    /// The options for gpg.
    private(set) var words: [[UInt8]] = []

    /// Where status lines are wanted.
    private(set) var statusDescriptor: Int32?

    /// Where the passphrase is.
    private(set) var passphraseDescriptor: Int32?

    /// Options that are not among ``words``, as their descriptor is not open, or of no use to GPGME's gpg.
    private(set) var useless: [[UInt8]] = []

    /// Takes the user's options apart.
    ///
    /// Comes before this process opens anything: later a number of the user's may be that of a file of ours.
    init(_ options: [[UInt8]]) {
        var rest = options[...]
        while let word = rest.popFirst() {
            guard let option = Option(word, next: rest.first) else {
                words.append(word)
                continue
            }
            if !option.isAttached { rest.removeFirst() }
            switch (option.name, FileDescriptor.inherited(option.number).isOpen) {
            case ("--status-fd", true):
                statusDescriptor = option.number
            case ("--passphrase-fd", true):
                passphraseDescriptor = option.number
            default:
                useless.append(word + Array((option.isAttached ? "" : " \(option.number)").utf8))
            }
        }
    }

    /// An option whose value is the number of a descriptor.
    private struct Option {
        let name: String
        let number: Int32
        /// Whether name and value are one word.
        let isAttached: Bool

        private static let names = [
            "--status-fd", "--passphrase-fd", "--logger-fd", "--command-fd", "--attribute-fd",
        ]

        init?(_ word: [UInt8], next: [UInt8]?) {
            let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let name = Option.names.first(where: { parts.first?.elementsEqual($0.utf8) == true }),
                let value = parts.count == 2 ? parts[1] : next?[...],
                let number = Int32(String(decoding: value, as: UTF8.self)), number >= 0
            else { return nil }
            self.name = name
            self.number = number
            isAttached = parts.count == 2
        }
    }
}

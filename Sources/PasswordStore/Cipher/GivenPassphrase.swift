internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// The passphrase of `--passphrase-fd`: a line that is read when gpg asks for the first time.
///
/// So a command that decrypts nothing leaves its standard input alone.
final class GivenPassphrase: PassphraseProvider, Sendable {
    private enum Line {
        case unread
        case read(SecretBytes?)
    }

    private let source: FileDescriptor
    private let line = Mutex(Line.unread)

    init(from source: FileDescriptor) { self.source = source }

    func passphrase(for userID: [UInt8], previousWasBad: Bool) -> SecretBytes? {
        // There is no second answer.
        guard !previousWasBad else { return nil }
        return line.withLock { line in
            if case .read(let passphrase) = line { return passphrase }
            // What cannot be read is no passphrase, and gpg says that it needs one.
            let passphrase = (try? source.readSecretLine())?.line
            line = .read(passphrase)
            return passphrase
        }
    }
}

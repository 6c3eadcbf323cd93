internal import GPGME
internal import Glibc
internal import SecretMemory
internal import Unix

/// Encryption by one gpg that is asked no more than that.
///
/// It needs no secret key, so that there is nothing to ask the user.
final class DirectEncryption {
    /// What came of it.
    struct Outcome {
        /// A whole message, and what its headers tell; `nil` where gpg failed, or made something else.
        let message: (bytes: [UInt8], packets: MessagePackets)?
        /// What gpg said.
        let report: EncryptionReport
    }

    private let gpg: RunningChild

    /// Starts gpg; `nil` where it cannot be started, or no recipient looks like one of these.
    init?(of plaintext: SecretBytes, to recipients: [[UInt8]], _ settings: Settings) {
        guard !recipients.isEmpty, recipients.allSatisfy(isPossibleRecipient) else { return nil }
        var command = Self.options
        for recipient in recipients { command += [Array("--recipient".utf8), exactRecipient(recipient)] }
        guard let gpg = DirectGPG(command, reading: .secret(plaintext), settings)?.start() else { return nil }
        self.gpg = gpg
    }

    /// As with pass a user's `encrypt-to` adds no reader, and the length tells nothing of the contents.
    ///
    /// What would change the plaintext, or say another length of it, is put back; with a file name, even an empty one, gpg
    /// refuses the one option that cannot be (`no-literal`).
    private static let options = [
        "--encrypt", "--no-encrypt-to", "--compress-algo", "none", "--no-textmode", "--set-filename", "",
        "--set-filesize", "0", "--input-size-hint", "0", "--no-for-your-eyes-only",
    ].map { Array($0.utf8) }

    /// Waits for the end of it; ask once.
    func finish() -> Outcome {
        guard let outcome = try? gpg.outcome() else {
            return Outcome(message: nil, report: EncryptionReport(lines: []))
        }
        var report = EncryptionReport(lines: outcome.errorOutput)
        // `ulimit -f` ends gpg where it keeps its random seed.
        if outcome.status == 128 + SIGXFSZ { report.failure = GPGMEError.Code(errno: EFBIG) }
        guard outcome.status == 0, outcome.isInputTaken, report.isSuccess,
            let packets = try? MessagePackets(outcome.output.span), packets.isFinished
        else { return Outcome(message: nil, report: report) }
        return Outcome(message: (outcome.output, packets), report: report)
    }
}

/// What gpg's status lines tell of one encryption.
///
/// Source: doc/DETAILS of GnuPG.
struct EncryptionReport {
    /// The lines, without their mark.
    let lines: [[UInt8]]
    /// The keys that gpg looked at to encrypt to them, and others.
    private(set) var considered: Set<Fingerprint> = []
    /// What gpg says of recipients, by their texts.
    private(set) var refusals: [[UInt8]: GPGMEError.Code] = [:]
    /// gpg's verdict on the whole, or what ended it.
    fileprivate(set) var failure: GPGMEError.Code?
    private var keywords: Set<String> = []

    /// Reads all that gpg wrote as status.
    init(lines text: [UInt8]) {
        lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: "[GNUPG:] ".utf8) }
            .map { Array($0.dropFirst(9)) }
        for line in lines {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard let keyword = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            keywords.insert(keyword)
            guard words.count > 1 else { continue }
            switch keyword {
            case "KEY_CONSIDERED":
                if let fingerprint = Fingerprint(Array(words[1])) { considered.insert(fingerprint) }
            case "INV_RECP":
                guard words.count > 2 else { continue }
                let text = words[2]
                refusals[text.span.unescaped()] = Self.reason(words[1])
            case "FAILURE":
                let code = words.count > 2 ? UInt32(String(decoding: words[2], as: UTF8.self)) : nil
                failure = code.map { GPGMEError.Code(rawValue: $0 & 0xFFFF) } ?? .general
            default: break
            }
        }
    }

    /// Whether gpg made a message.
    var isSuccess: Bool {
        keywords.isSuperset(of: ["BEGIN_ENCRYPTION", "END_ENCRYPTION"])
            && keywords.isDisjoint(with: ["INV_RECP", "NO_RECP", "ERROR", "FAILURE", "UNEXPECTED"])
    }

    /// The code that GPGME makes of the number in an `INV_RECP`.
    private static func reason(_ number: ArraySlice<UInt8>) -> GPGMEError.Code {
        switch String(decoding: number, as: UTF8.self) {
        case "1": .noPublicKey
        case "2": .ambiguousName
        case "4": .keyRevoked
        case "5": .keyExpired
        case "10": .keyNotTrusted
        default: .unusablePublicKey
        }
    }
}

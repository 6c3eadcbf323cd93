import GPGME
import Testing

/// The headers of OpenPGP messages, binary and armoured.
@Suite struct PacketFuzzTests {
    @Test func answersMakeSense() throws {
        let tokens = [
            "-----BEGIN PGP MESSAGE-----\n", "-----END PGP MESSAGE-----\n", "\n\n", "=", "Comment: x\n",
        ]
        try fuzz("packets", tokens) { input in
            guard let packets = try? MessagePackets(input.span) else { return false }
            try require(
                packets.recipients.count + packets.passphraseCount <= input.count,
                "too many recipients"
            )
            try require(packets.ending != .whole || packets.isEncrypted, "whole, and not encrypted")
            try require(packets.isEncrypted == (packets.protection != nil), "encrypted without a protection")
            let recipients = try? MessagePackets.recipients(of: input.span)
            try require(recipients == (packets.isEncrypted ? packets.recipients : nil), "other recipients")
            return packets.isEncrypted
        }
    }
}

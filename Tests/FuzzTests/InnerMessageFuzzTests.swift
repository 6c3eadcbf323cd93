// swift-format-ignore-file: NeverUseForceTry

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// What stands inside an encryption, with something changed, as gpg itself judges it.
@Suite struct InnerMessageFuzzTests {
    private static let ring = try! TestKeyring()
    private static let alice = try! ring.makeKey("Alice <alice@example.org>")

    private let folder = TestFolder()

    /// Each takes some 30 ms: of the inputs that the parsers get this is every hundredth, and 10,000 at most.
    private static let count = min(10_000, max(100, Fuzz.inputs / 100))

    private func store(_ name: Path, _ condition: String) throws -> Store {
        let script = "#!/bin/bash\n\(condition)\nexec /usr/bin/gpg \"$@\"\n"
        folder.folder(name)
        let program = folder.path.appending(name)
        try writeFile(Data(script.utf8), to: URL(filePath: "\(program)/gpg"), mode: 0o700)
        let variables = ["PATH": "\(program):/usr/bin:/bin", "GNUPGHOME": Self.ring.home, "HOME": "/nowhere"]
        return Store(Settings(environment: Environment(variables), currentFolder: "/"))
    }

    @Test func nothingIsShownThatGPGRefuses() throws {
        folder.folder("seeds")
        let seeds = URL(filePath: "\(folder.path)/seeds")
        for (name, packets) in try Self.ring.innerPackets(for: Self.alice) {
            try Data(packets).write(to: seeds.appending(path: name))
        }
        var inputs = try Mutator(corpus: seeds, tokens: ["PGP"])
        let locked = #"case "$*" in *override-session-key-fd*) ;; *"--pinentry-mode error"*) exit 2 ;; esac"#
        let stores = try [store("direct", ":"), store("locked", locked)]
        var (shown, refused) = (0, 0)
        for number in 0..<Self.count {
            let packets = inputs.next()
            let message = try Self.ring.encryptedPackets(packets, to: Self.alice)
            let own = try Self.ring.decrypted(message)
            for (way, store) in stores.enumerated() {
                guard let text = try? store.decrypt(message, at: "x.gpg").bytes else {
                    refused += 1
                    continue
                }
                shown += 1
                let bytes = text.withBytes { bytes in bytes.indices.map { bytes[$0] } }
                guard own.status == 0, own.output == bytes else {
                    let text = Data(packets).base64EncodedString()
                    Issue.record("input \(number), way \(way), status \(own.status): \(text)")
                    return
                }
            }
        }
        #expect(shown > 0 && refused > 0, "\(shown) were shown, \(refused) refused")
    }
}

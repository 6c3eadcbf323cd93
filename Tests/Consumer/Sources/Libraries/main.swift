import GPGME
import PasswordStore
import SecretMemory
import Unix

// Through the engine of the tool.
let settings = Settings(environment: .ofThisProcess(), currentFolder: "/")
let store = Store(settings)
let entry = SecretBytes(copying: Array("hunter2\nlogin: alice\n".utf8).span)
try store.write(entry, to: EntryName("Email/home"), message: Array("Add Email/home".utf8))
let contents = try store.read(EntryName("Email/home"))
contents.line(1)?.withBytes { password in print(password.count, terminator: " ") }

// Through GnuPG alone.
let context = try Context()
let keys = try context.secretKeys(matching: [Array("consumer".utf8)])
let message = try context.encrypt(entry, to: keys.map { Array($0.fingerprint.description.utf8) })
print(keys.count, try context.decrypt(message.span).plaintext.isEqual(to: entry))

import Foundation
import Security

/// What one process needs as its calls go on.
enum Growth {
    /// Makes mixed calls, and says after each of the `counts` how much memory is resident and how many files are open.
    static func show(after counts: [Int]) {
        for number in 1...(counts.last ?? 1) {
            call(number)
            guard counts.contains(number) else { continue }
            print("\(number) calls: \(residentKibibytes) KiB resident, \(openFiles) open files")
            // What is not written yet a process that GPGME forks may write, too; under the thread sanitizer each does.
            fflush(nil)
        }
    }

    /// Adds, updates, reads and deletes in turn, so that the store stays as large as it is.
    private static func call(_ number: Int) {
        let name = item(number / 5 % 20)
        var result: CFTypeRef?
        switch number % 5 {
        case 0:
            let secret: [CFString: Any] = [kSecValueData: Data("secret \(number)".utf8), kSecAttrLabel: "L"]
            SecItemAdd(name.merging(secret) { $1 } as CFDictionary, nil)
        case 1:
            let change: [CFString: Any] = [kSecValueData: Data("secret \(number)".utf8)]
            SecItemUpdate(name as CFDictionary, change as CFDictionary)
        case 2:
            let query = name.merging([kSecReturnData: true, kSecReturnAttributes: true]) { $1 }
            SecItemCopyMatching(query as CFDictionary, &result)
        case 3 where number % 50 == 3: _ = matchAll()
        case 3: SecItemCopyMatching(item(-1) as CFDictionary, &result)
        default: if number / 5 % 4 == 0 { SecItemDelete(name as CFDictionary) }
        }
    }

    private static var residentKibibytes: Int {
        let words =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

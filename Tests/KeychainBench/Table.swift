import Foundation
import TestSupport

/// What the keychain's functions cost beside bare gpg, as rows like those of `Tests/Bench/bench.sh`.
struct Table {
    let keyring: TestKeyring
    let store: String
    let count: Int
    private let gpg: String
    private let environment = ProcessInfo.processInfo.environment
    private let itself = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// A program that must be there is not, or failed.
    struct Failure: Error {
        let program: String
    }

    /// Fills the store that the environment names with `count` items.
    init(_ keyring: TestKeyring, store: String, count: Int) throws {
        self.keyring = keyring
        self.store = store
        self.count = count
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/gpg" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { throw Failure(program: "gpg") }
        gpg = found
        addItems(count)
        // Files younger than this are not kept in the index.
        Thread.sleep(forTimeInterval: 0.1)
    }

    /// Measures and prints.
    func show() throws {
        let (gpgOne, warmOne) = try one()
        let gpgAll = try milliseconds { for number in 0..<count { try decrypt(number) } }
        let cold = milliseconds { precondition(matchAll() == count) }
        let firstOne = try median((0..<11).map { _ in try inNewProcess("first-one") })
        let firstAll = try median((0..<11).map { _ in try inNewProcess("first-all") })
        let againAll = try median((0..<5).map { _ in try inNewProcess("second-all") })
        let runs = try runsOfSecondCall()
        let one = "\(text(gpgOne)) (gpg -q -d)"
        let each = "\(text(gpgAll)) (gpg -q -d of each)"
        print("\nSecItemCopyMatching on a store of \(count) items, medians in ms.\n")
        print("| what | passchain | pass | ratio | floor | ratio |\n|---|---:|---:|---:|---:|---:|")
        row("one item's secret, by service and account", warmOne, one, ratio(warmOne, gpgOne))
        row("the same as the first call of a process", firstOne, one, ratio(firstOne, gpgOne))
        row("all items' attributes, nothing in the index", cold, each, percent(cold, gpgAll))
        row("the same from the index, first call of a process", firstAll, each, percent(firstAll, gpgAll))
        row("the same again: \(runs) gpg started", againAll, each, percent(againAll, gpgAll))
        print("\nMixed calls in one process:\n")
        print(try run(itself, ["growth", "1000", "10000"]), terminator: "")
    }

    /// The medians for one item, taken in turns: with bare gpg, and with one call.
    private func one() throws -> (gpg: Double, call: Double) {
        var times: (gpg: [Double], call: [Double]) = ([], [])
        for _ in 0..<51 {
            times.gpg.append(try milliseconds { try decrypt(0) })
            times.call.append(milliseconds { readOne() })
        }
        return (median(times.gpg), median(times.call))
    }

    private func decrypt(_ number: Int) throws {
        try run(gpg, ["-q", "-d", "\(store)/bench/account \(number).gpg"])
    }

    /// What another process of this program answers, which remembers nothing of this one.
    private func inNewProcess(_ call: String, path: String? = nil) throws -> Double {
        guard let time = Double(try run(itself, [call], path: path).filter { !$0.isNewline }) else {
            throw Failure(program: itself)
        }
        return time
    }

    /// How many gpg the second call of a process starts, going by a gpg that counts; GPGME finds that one, too, when
    /// `gpgconf` does not tell it of another.
    private func runsOfSecondCall() throws -> Int {
        let folder = keyring.home + "/bin"
        let runs = keyring.home + "/runs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let script = "#!/bin/sh\necho >>'\(runs)'\nexec '\(gpg)' \"$@\"\n"
        for (name, script) in ["gpg": script, "gpgconf": "#!/bin/sh\nexit 1\n"] {
            try writeFile(Data(script.utf8), to: URL(fileURLWithPath: "\(folder)/\(name)"), mode: 0o700)
        }
        let counts = try ["first-all", "second-all"].map { call in
            _ = try inNewProcess(call, path: "\(folder):\(environment["PATH"] ?? "")")
            defer { try? FileManager.default.removeItem(atPath: runs) }
            return try Data(contentsOf: URL(fileURLWithPath: runs)).count
        }
        // The first call reads the index at least, so that what is counted with is seen to count.
        return counts[1] - counts[0]
    }

    @discardableResult
    private func run(_ program: String, _ arguments: [String], path: String? = nil) throws -> String {
        var environment = environment
        if let path { environment["PATH"] = path }
        let outcome = try runProgram(program, arguments, environment: environment)
        guard outcome.status == 0 else { throw Failure(program: program) }
        return outcome.text + outcome.errorText
    }

    private func row(_ title: String, _ time: Double, _ floor: String, _ ratio: String) {
        print("| \(title) | \(text(time)) | | | \(floor) | \(ratio) |")
    }

    private func text(_ time: Double) -> String { String(format: "%.1f", time) }

    private func ratio(_ time: Double, _ floor: Double) -> String { String(format: "%.2f", time / floor) }

    private func percent(_ time: Double, _ floor: Double) -> String {
        String(format: "%.1f %%", time / floor * 100)
    }
}

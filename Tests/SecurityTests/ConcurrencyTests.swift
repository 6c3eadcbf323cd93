import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Security

/// Any thread, any process.
@Suite(.serialized) struct ConcurrencyTests {
    /// What a worker process is told.
    struct Order: Codable, Sendable {
        let variables: [String]
        let log: String
        let seed: UInt64
        let calls: Int

        func enter() {
            for pair in variables {
                let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
                setenv(words[0], words.count > 1 ? words[1] : "", 1)
            }
        }
    }

    private static let processes = 8
    private static let calls = ProcessInfo.processInfo.environment["KEYCHAIN_STRESS"].flatMap(Int.init) ?? 20

    private func orders(_ store: TestKeychain) -> [Order] {
        (0..<Self.processes).map { index in
            Order(
                variables: store.variables + ["XDG_CACHE_HOME=\(store.folder).cache"],
                log: "\(store.folder).log\(index)",
                seed: UInt64(index),
                calls: Self.calls
            )
        }
    }

    @Test func eightProcessesWithMixedCallsEndInAStateThatASerialOrderExplains() async throws {
        let store = try TestKeychain(git: true)
        let orders = orders(store)
        await withTaskGroup(of: Void.self) { group in
            for order in orders {
                group.addTask {
                    await #expect(processExitsWith: .success) { [order = order as Order] in
                        order.enter()
                        try Worker.run(order)
                    }
                }
            }
        }
        var calls: [RecordedCall] = []
        for order in orders {
            let url = URL(fileURLWithPath: order.log)
            calls += try JSONDecoder().decode([RecordedCall].self, from: Data(contentsOf: url))
            try FileManager.default.removeItem(at: url)
        }
        #expect(calls.count == Self.processes * Self.calls)
        for (key, calls) in Dictionary(grouping: calls, by: \.key) {
            let finals = SerialOrder.finalStates(of: calls)
            #expect(!finals.isEmpty, "no serial order explains the calls on \(key)")
            let held = store.copy(item(key, "stress", ["r_Data": true]))
            #expect([errSecSuccess, errSecItemNotFound].contains(held.status))
            #expect(finals.contains(held.text), "\(key) holds \(held.text ?? "nothing")")
        }
        let changes = calls.count { $0.status == errSecSuccess && $0.kind != .read }
        #expect(try store.commits.count == 1 + changes)
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
        #expect(try store.git(["fsck", "--strict"]).isEmpty)
        #expect(
            FileManager.default.subpaths(atPath: store.folder)?.contains { $0.contains("passchain-tmp") }
                == false
        )
    }

    @Test("of several processes that add one key, one succeeds")
    func oneAddSucceeds() async throws {
        let store = try TestKeychain()
        let orders = orders(store)
        await withTaskGroup(of: Void.self) { group in
            for order in orders {
                group.addTask {
                    await #expect(processExitsWith: .success) { [order = order as Order] in
                        order.enter()
                        let attributes = item("a", "s", ["v_Data": secret("\(order.seed)")]) as CFDictionary
                        let status = SecItemAdd(attributes, nil)
                        try Data("\(status)".utf8).write(to: URL(fileURLWithPath: order.log))
                    }
                }
            }
        }
        let statuses = try orders.map { order in
            let url = URL(fileURLWithPath: order.log)
            defer { try? FileManager.default.removeItem(at: url) }
            return try OSStatus(String(decoding: Data(contentsOf: url), as: UTF8.self))
        }
        let winner = try #require(statuses.firstIndex(of: errSecSuccess))
        #expect(statuses.count { $0 == errSecSuccess } == 1)
        #expect(statuses.count { $0 == errSecDuplicateItem } == Self.processes - 1)
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "\(winner)")
    }

    @Test("a reader sees the old value or the new one, also while the key changes")
    func noGap() throws {
        let store = try TestKeychain()
        let reference = try #require(
            store.add(item("a", "s", ["v_Data": secret("0"), "r_PersistentRef": true])).data
        )
        let isDone = Atomic(false)
        let group = DispatchGroup()
        Thread.detachNewThread(in: group) {
            for round in 1...15 {
                #expect(store.update(item("a"), ["v_Data": secret("\(round)")]) == errSecSuccess)
                #expect(store.update(genp(["svce": "s"]), ["icmt": "\(round)"]) == errSecSuccess)
            }
            isDone.store(true, ordering: .sequentiallyConsistent)
        }
        let reader = store.anotherProcess()
        while !isDone.load(ordering: .sequentiallyConsistent) {
            let value = Answer.text(reader, item("a", "s", ["r_Data": true]))
            #expect(value.flatMap(Int.init) != nil)
            #expect(Answer.text(reader, ["v_PersistentRef": reference, "r_Data": true]) != nil)
        }
        group.wait()
        let renames = DispatchGroup()
        Thread.detachNewThread(in: renames) {
            for round in 0..<15 {
                let (old, new) = round.isMultiple(of: 2) ? ("s", "t") : ("t", "s")
                #expect(store.update(genp(["acct": "a"]), ["svce": new]) == errSecSuccess, "\(old) to \(new)")
            }
            isDone.store(false, ordering: .sequentiallyConsistent)
        }
        while isDone.load(ordering: .sequentiallyConsistent) {
            let found = TestKeychain.copy(
                genp(["acct": "a", "r_Attributes": true]).merging(noLimit) { $1 },
                from: reader
            )
            #expect(found.dictionaries?.count == 1, "\(found.status)")
        }
        renames.wait()
    }

    @Test("64 threads with mixed calls on one keychain") func manyThreads() throws {
        let store = try TestKeychain()
        let group = DispatchGroup()
        let calls = Mutex<[RecordedCall]>([])
        for index in 0..<64 {
            Thread.detachNewThread(in: group) {
                var worker = Worker(seed: UInt64(1_000 + index), name: "t\(index)")
                for _ in 0..<3 {
                    let call = worker.call { kind, account, value in
                        switch kind {
                        case .add:
                            return (store.add(item(account, "stress", ["v_Data": secret(value)])).status, nil)
                        case .update:
                            return (store.update(item(account, "stress"), ["v_Data": secret(value)]), nil)
                        case .delete: return (store.delete(item(account, "stress")), nil)
                        case .read:
                            let answer = store.copy(item(account, "stress", ["r_Data": true]))
                            return (answer.status, answer.text)
                        }
                    }
                    calls.withLock { $0.append(call) }
                }
            }
        }
        group.wait()
        for (key, calls) in Dictionary(grouping: calls.withLock { $0 }, by: \.key) {
            let finals = SerialOrder.finalStates(of: calls)
            #expect(finals.contains(store.copy(item(key, "stress", ["r_Data": true])).text), "\(key)")
        }
    }
}

extension Thread {
    fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}

/// Makes random calls and writes down what they answered.
struct Worker {
    private var random: SeededGenerator
    private let name: String
    private var count = 0

    init(seed: UInt64, name: String) {
        random = SeededGenerator(seed: seed)
        self.name = name
    }

    /// Makes the calls of a process through the public functions.
    static func run(_ order: ConcurrencyTests.Order) throws {
        var worker = Worker(seed: order.seed, name: "p\(order.seed)")
        let calls = (0..<order.calls).map { _ in
            worker.call { kind, account, value in
                switch kind {
                case .add:
                    return (
                        SecItemAdd(item(account, "stress", ["v_Data": secret(value)]) as CFDictionary, nil),
                        nil
                    )
                case .update:
                    let changes = ["v_Data": secret(value)] as CFDictionary
                    return (SecItemUpdate(item(account, "stress") as CFDictionary, changes), nil)
                case .delete: return (SecItemDelete(item(account, "stress") as CFDictionary), nil)
                case .read:
                    var result: CFTypeRef?
                    let query = item(account, "stress", ["r_Data": true]) as CFDictionary
                    let status = SecItemCopyMatching(query, &result)
                    return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
                }
            }
        }
        try JSONEncoder().encode(calls).write(to: URL(fileURLWithPath: order.log))
    }

    mutating func call(
        _ body: (RecordedCall.Kind, _ account: String, _ value: String) -> (OSStatus, String?)
    ) -> RecordedCall {
        let kinds: [RecordedCall.Kind] = [
            .add, .add, .add, .update, .update, .delete, .delete, .read, .read, .read,
        ]
        let kind = kinds.randomElement(using: &random) ?? .read
        let own = Bool.random(using: &random)
        let key =
            own
            ? "\(name)-\(Int.random(in: 0..<2, using: &random))" : "k\(Int.random(in: 0..<4, using: &random))"
        count += 1
        let value = "\(name).\(count)"
        let start = DispatchTime.now().uptimeNanoseconds
        let (status, text) = body(kind, key, value)
        let end = DispatchTime.now().uptimeNanoseconds
        let written = kind == .add || kind == .update ? value : text
        return RecordedCall(kind: kind, key: key, value: written, status: status, start: start, end: end)
    }
}

@Suite struct SerialOrderTests {
    private func call(
        _ kind: RecordedCall.Kind,
        _ value: String?,
        _ status: OSStatus,
        _ start: UInt64,
        _ end: UInt64
    ) -> RecordedCall {
        RecordedCall(kind: kind, key: "k", value: value, status: status, start: start, end: end)
    }

    @Test func itExplainsWhatCanBeAndNothingElse() {
        let added = call(.add, "1", 0, 0, 10)
        #expect(SerialOrder.finalStates(of: [added]) == ["1"])
        #expect(SerialOrder.finalStates(of: [added, call(.read, nil, -25300, 5, 6)]) == ["1"])
        #expect(SerialOrder.finalStates(of: [added, call(.read, nil, -25300, 11, 12)]).isEmpty)
        #expect(SerialOrder.finalStates(of: [added, call(.add, "2", 0, 20, 30)]).isEmpty)
        #expect(
            SerialOrder.finalStates(of: [added, call(.delete, nil, 0, 5, 30), call(.read, "1", 0, 31, 32)])
                .isEmpty
        )
        let updates = [added, call(.update, "2", 0, 11, 20), call(.update, "3", 0, 12, 20)]
        #expect(SerialOrder.finalStates(of: updates) == ["2", "3"])
        #expect(SerialOrder.finalStates(of: updates + [call(.read, "1", 0, 21, 22)]).isEmpty)
    }
}

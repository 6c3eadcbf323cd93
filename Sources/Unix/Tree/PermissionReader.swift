internal import Glibc

/// Reads the permissions of files while a walk goes on: once there are many, by a thread of its own.
///
/// It takes a call for each file, which is half of what it costs to draw a large store.
final class PermissionReader {
    /// Files of one folder; `folder` is closed by who does the job.
    private struct Job: Sendable {
        let folder: Int32
        let names: [UInt8]
        let start: Int
    }

    private struct State: Sendable {
        var jobs: [Job] = []
        var isComplete = false
        var results: [(start: Int, bits: [UInt32])] = []

        mutating func takeResults() -> [(start: Int, bits: [UInt32])] {
            defer { results = [] }
            return results
        }
    }

    /// How many files there must be for a thread to pay off.
    private static let fewFiles = 400
    /// How many folders may wait: each one is held open.
    private static let mostWaiting = 32

    deinit {
        // The thread waits until it is told that there will be no more.
        _ = finish()
    }

    private let monitor = Monitor(State())
    private var thread: Thread?
    /// By the number of the file; 0 for a file that has gone.
    private var bits: [UInt32] = []

    /// How many files it was given, which is the next one's number.
    var count: Int { bits.count }

    /// Takes `count` files of a folder, which get the next numbers.
    ///
    /// - Parameters:
    ///   - names: their names, each with a NUL behind it.
    ///   - count: how many they are.
    ///   - folder: the folder's descriptor, which stays the caller's.
    func add(_ names: [UInt8], count: Int, in folder: Int32) {
        guard count > 0 else { return }
        let start = bits.count
        bits += repeatElement(0, count: count)
        if !handOver(names, start, folder) { store(Self.read(names, in: folder), at: start) }
        if thread == nil, bits.count > Self.fewFiles {
            thread = Thread { [monitor] in
                while let job = Self.next(monitor) { Self.work(job, monitor) }
            }
        }
    }

    /// Waits for the type and permission bits of all files, by their numbers; 0 for a file that has gone.
    func finish() -> [UInt32] {
        monitor.change { $0.isComplete = true }
        while let job = Self.next(monitor) { Self.work(job, monitor) }
        thread?.join()
        thread = nil
        for result in monitor.change({ $0.takeResults() }) { store(result.bits, at: result.start) }
        return bits
    }

    private func handOver(_ names: [UInt8], _ start: Int, _ folder: Int32) -> Bool {
        let isFull = monitor.change { $0.jobs.count >= Self.mostWaiting }
        guard !isFull else { return false }
        let copy = fcntl(folder, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return false }
        monitor.change { $0.jobs.append(Job(folder: copy, names: names, start: start)) }
        return true
    }

    private static func next(_ monitor: Monitor<State>) -> Job? {
        monitor.wait { state -> Job?? in
            guard !state.jobs.isEmpty else { return state.isComplete ? .some(nil) : nil }
            return state.jobs.removeFirst()
        }
    }

    private static func work(_ job: Job, _ monitor: Monitor<State>) {
        let bits = read(job.names, in: job.folder)
        close(job.folder)
        monitor.change { $0.results.append((job.start, bits)) }
    }

    private func store(_ some: [UInt32], at start: Int) {
        bits.replaceSubrange(start..<start + some.count, with: some)
    }

    /// The type and permission bits of files in a folder, in the order of their names; 0 for one that has gone.
    ///
    /// - Parameters:
    ///   - names: their names, each with a NUL behind it.
    ///   - folder: the folder's descriptor.
    /// - Returns: what `st_mode` holds, for each name.
    static func read(_ names: [UInt8], in folder: Int32) -> [UInt32] {
        names.withUnsafeBytes { names in
            var bits: [UInt32] = []
            guard let start = names.baseAddress, names.last == 0 else { return bits }
            var offset = 0
            while offset < names.count {
                var status = stat()
                let name = (start + offset).assumingMemoryBound(to: CChar.self)
                bits.append(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode : 0)
                offset += strlen(name) + 1
            }
            return bits
        }
    }
}

internal import Glibc

/// Whole pages that hold secret bytes and nothing else.
///
/// Pages of their own can be locked and kept out of core dumps one by one, and no neighbour is unlocked when they
/// go. Locking is best effort: a process may lock only as much as `RLIMIT_MEMLOCK` allows.
struct SecretPages {
    let bytes: UnsafeMutableRawBufferPointer

    /// The largest block that is locked in memory; more would soon meet `RLIMIT_MEMLOCK`.
    private static let largestLockedBlock = 64 * 1024

    /// Maps zeroed pages for at least `count` bytes.
    ///
    /// Ends the process when there is no memory, as the standard library does.
    static func allocate(atLeast count: Int) -> SecretPages {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let size = max(1, (count + page - 1) / page) * page
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { fatalError("out of memory") }
        // MADV_DONTDUMP is 16 on Linux; the Glibc module hides it.
        _ = madvise(start, size, 16)
        if size <= largestLockedBlock { _ = mlock(start, size) }
        return SecretPages(bytes: UnsafeMutableRawBufferPointer(start: start, count: size))
    }

    /// Overwrites the pages with zeroes and gives them back.
    func release() {
        guard let start = bytes.baseAddress else { return }
        explicit_bzero(start, bytes.count)
        munmap(start, bytes.count)
    }
}

internal import Glibc

extension Process {
    /// The name of a user; `nil` where the system knows none.
    ///
    /// Calls `getpwuid_r`.
    package static func userName(of user: UInt32) -> [UInt8]? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // The strings of the entry lie in the buffer.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
        }
    }
}

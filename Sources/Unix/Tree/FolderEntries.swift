internal import CUnix
internal import Glibc

/// Reads the names in open folders, one folder after the other, by one buffer.
///
/// `readdir(3)` would take a descriptor, a buffer and five calls more for each folder.
final class FolderEntries {
    /// A name in a folder; it is gone with the call that it was handed to.
    struct Entry {
        /// The name, with its NUL.
        let terminatedName: UnsafeRawBufferPointer
        /// Its type as in `st_mode`; 0 when the file system does not tell.
        let type: UInt32

        /// The name.
        var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: terminatedName.dropLast()) }
        /// Whether it is that of the folder itself, or of the one above it.
        var isDots: Bool { name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) }
    }

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 8)

    deinit { buffer.deallocate() }

    /// Hands each name to `body`, in the order of the file system.
    ///
    /// Calls `getdents64`.
    ///
    /// - Parameters:
    ///   - folder: the folder's descriptor, of which nothing was read yet.
    ///   - body: takes a name.
    /// - Throws: ``FolderReading/Failure``.
    func forEach(in folder: Int32, _ body: (Entry) -> Void) throws(FolderReading.Failure) {
        while true {
            let count = retrying { cunix_read_folder(folder, buffer.baseAddress, buffer.count) }
            // A folder that was removed meanwhile has no more names: so readdir(3) takes it, too.
            if count < 0, errno == ENOENT { return }
            guard count >= 0 else { throw FolderReading.Failure(code: errno) }
            guard count > 0 else { return }
            var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            while !rest.isEmpty {
                // Where the fields are: getdents64(2), struct linux_dirent64.
                let length = Int(rest.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
                let name = UnsafeRawBufferPointer(rebasing: rest[19..<length])
                guard let start = name.baseAddress else { break }
                let nameLength = strnlen(start.assumingMemoryBound(to: CChar.self), name.count - 1)
                body(
                    Entry(
                        terminatedName: UnsafeRawBufferPointer(rebasing: name[...nameLength]),
                        type: UInt32(rest[18]) << 12  // DTTOIF
                    )
                )
                rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            }
        }
    }
}

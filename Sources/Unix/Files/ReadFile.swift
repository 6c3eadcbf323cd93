internal import CUnix
internal import Glibc
internal import SecretMemory

/// All bytes of the file at an absolute path.
package func readFile(_ path: Path, limit: Int = .max) throws(Errno) -> [UInt8] {
    let number = withCString(path.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK, 0) }
    guard number >= 0 else { throw Errno(.open, path) }
    return try FileDescriptor(owning: number).readAll(limit: limit, path: path)
}

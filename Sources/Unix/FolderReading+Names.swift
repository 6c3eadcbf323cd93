internal import Glibc

extension FolderReading {
    /// Reads the names in an open folder and adds them to `pending`, in order.
    mutating func readNames(of descriptor: Int32, depth: Int) throws(Failure) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(code: errno) }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw Failure(code: code)
        }
        defer { closedir(stream) }

        var found: [FolderTree.Node] = []
        var files: [UInt8] = []
        var fileCount = 0
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let isTaken = withUnsafeBytes(of: &entry.pointee.d_name) { isWanted($0) }
            guard isTaken else { continue }
            let start = text.count
            withUnsafeBytes(of: &entry.pointee.d_name) { name in
                // With its NUL.
                text.append(contentsOf: name[...(name.firstIndex(of: 0) ?? name.count - 1)])
            }
            let type = UInt32(entry.pointee.d_type) << 12  // DTTOIF
            let end = text.count
            guard var node = node(in: descriptor, name: start..<end - 1, type: type, depth: depth) else {
                continue
            }
            if walk.readsPermissions, node.mode.kind == .file {
                files += text[start..<end]
                node.permissions = UInt32(permissionReader.count + fileCount)
                fileCount += 1
            }
            found.append(node)
        }
        guard errno == 0 else { throw Failure(code: errno) }
        permissionReader.add(files, count: fileCount, in: descriptor)
        let order = walk.order
        text.withUnsafeBytes { bytes in
            found.sort { order.isOrdered(cString(bytes, $0.name), before: cString(bytes, $1.name)) }
        }
        pending += found
    }

    private func isWanted(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name[0] == UInt8(ascii: ".") else { return walk.skippedNames.isEmpty || !isSkipped(name) }
        guard walk.includesHidden, name[1] != 0, name[1] != UInt8(ascii: ".") || name[2] != 0 else {
            return false
        }
        return !isSkipped(name)
    }

    private func isSkipped(_ name: UnsafeRawBufferPointer) -> Bool {
        walk.skippedNames.contains { name.starts(with: $0) && name[$0.count] == 0 }
    }

    /// What stands behind a name in an open folder; `nil` when it has gone meanwhile.
    private mutating func node(
        in folder: Int32,
        name: Range<Int>,
        type: UInt32,
        depth: Int
    ) -> FolderTree.Node? {
        var mode = FileMode(bits: type)
        // Not every file system tells the type. Permissions come later: a folder's when it is opened.
        if mode.kind == .other {
            // It failed: the name went away between the two calls.
            let known = try? withName(name) { (name) throws(Failure) in
                try status(in: folder, name, followingLink: false)
            }
            guard let known else { return nil }
            mode = known.mode
        }
        guard mode.kind == .link else {
            return FolderTree.Node(
                depth: depth,
                name: name,
                target: nil,
                mode: mode,
                targetMode: nil,
                contents: mode.kind == .folder ? .listed : .none
            )
        }
        // It failed: the link leads nowhere, or where this user may not look.
        let leadsTo = try? withName(name) { (name) throws(Failure) in
            try status(in: folder, name, followingLink: true)
        }
        return FolderTree.Node(
            depth: depth,
            name: name,
            target: readTarget(in: folder, name),
            mode: mode,
            targetMode: leadsTo?.mode,
            contents: leadsTo?.mode.kind != .folder ? .none : walk.followsLinks ? .listed : .notFollowed
        )
    }

    /// Adds to `text` where a link leads to.
    private mutating func readTarget(in folder: Int32, _ name: Range<Int>) -> Range<Int> {
        let target = text.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
                let start = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
                guard let start else { return }
                count = max(0, readlinkat(folder, cString(bytes, name), start, buffer.count))
            }
        }
        let start = text.count
        text += target
        return start..<text.count
    }
}

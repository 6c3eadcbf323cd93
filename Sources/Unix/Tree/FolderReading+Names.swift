internal import Glibc

extension FolderReading {
    /// Reads the names in an open folder and adds them to `pending`, in order.
    mutating func readNames(of descriptor: Int32, depth: Int) throws(Failure) {
        var found: [FolderTree.Node] = []
        var files: [UInt8] = []
        var fileCount = 0
        try entries.forEach(in: descriptor) { entry in
            guard isWanted(entry) else { return }
            let start = text.count
            text.append(contentsOf: entry.terminatedName)
            let name = start..<text.count - 1
            guard var node = node(in: descriptor, name: name, type: entry.type, depth: depth) else { return }
            if walk.readsPermissions, node.mode.kind == .file {
                files.append(contentsOf: entry.terminatedName)
                node.permissions = UInt32(permissionReader.count + fileCount)
                fileCount += 1
            }
            found.append(node)
        }
        permissionReader.add(files, count: fileCount, in: descriptor)
        appendToPending(found)
    }

    /// Adds nodes to `pending` in the order of their names.
    private mutating func appendToPending(_ found: [FolderTree.Node]) {
        /// What the order mostly goes by: the first bytes of a name as a number, where bytes decide.
        struct Key {
            let start: UInt64
            let place: Int
        }
        let order = walk.order
        text.withUnsafeBytes { bytes in
            var keys = found.indices.map { place in
                Key(start: order.ordersByBytes ? startingNumber(bytes, found[place].name) : 0, place: place)
            }
            keys.sort { first, second in
                if first.start != second.start { return first.start < second.start }
                let names = (found[first.place].name, found[second.place].name)
                return order.isOrdered(cString(bytes, names.0), before: cString(bytes, names.1))
            }
            for key in keys { pending.append(found[key.place]) }
        }
    }

    /// The first eight bytes of a name as a number that is ordered as they are; a shorter name ends in zeroes.
    private func startingNumber(_ bytes: UnsafeRawBufferPointer, _ name: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for place in name.prefix(8) { number = number << 8 | UInt64(bytes[place]) }
        return number << (8 * UInt64(max(0, 8 - name.count)))
    }

    private func isWanted(_ entry: FolderEntries.Entry) -> Bool {
        if entry.name.first == UInt8(ascii: "."), !walk.includesHidden || entry.isDots { return false }
        return !walk.skippedNames.contains { entry.name.elementsEqual($0) }
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

import TestSupport
import Testing
import Unix

@testable import PasswordStore

/// What git writes, and what a command writes down for the next one.
@Suite struct RecordFuzzTests {
    @Test func everyFileThatATreeNamesIsFound() throws {
        let id = String(repeating: "0a", count: 20)
        try fuzz("git-tree", ["\0", "100644 blob \(id)\t", "160000 commit \(id)\t", "\t", "\n", "/"]) {
            input in
            let ids = History.ids(inTree: input)
            for (path, id) in ids {
                try require(id.bytes.count == 20 || id.bytes.count == 32, "no ID")
                let record = input.split(separator: 0).last {
                    $0.suffix(path.bytes.count + 1).dropFirst() == path.bytes[...]
                }
                try require(record != nil, "another path")
            }
            return !ids.isEmpty
        }
    }

    @Test func theIndexNeedNotBeWhole() throws {
        try fuzz("git-index", ["DIRC", "TREE", "link", "sdir", "\0"]) { input in
            guard let ids = GitIndex.ids(of: PathSet(["."]), in: input) else { return false }
            let some = GitIndex.ids(of: PathSet(["x.gpg", "d"]), in: input)
            let expected = ids.filter { path, _ in
                path == "x.gpg" || path == "d" || path.bytes.starts(with: "x.gpg/".utf8)
                    || path.bytes.starts(with: "d/".utf8)
            }
            try require(some == expected, "not what is below the paths")
            return true
        }
    }

    @Test func aRecordMeansTheSameWhenItIsWrittenAgain() throws {
        try fuzz("pending", ["\0", "1\0", "0\0", "replace\0", "none\0", "remove\0", "..", "/.git/", "end\0"])
        { input in
            guard let change = PendingChange(input) else { return false }
            try require(PendingChange(change.text) == change, "another one when read again")
            for path in change.temporaries {
                try require(Store.isTemporary(path.lastComponent), "no temporary file")
            }
            for path in change.temporaries + change.folders {
                try require(
                    !path.components.contains { $0.elementsEqual("..".utf8) },
                    "a path that leads out"
                )
            }
            return true
        }
    }
}

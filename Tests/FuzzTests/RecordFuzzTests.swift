import TestSupport
import Testing
import Unix

@testable import PasswordStore

/// What git writes, and what a command writes down for the next one.
@Suite struct RecordFuzzTests {
    @Test func everyChangeThatGitNamesIsFound() throws {
        try fuzz("git-status", ["\0", "?? ", " M ", "D  ", "R  ", "\n", "/"]) { input in
            let changes = History.changes(inStatus: input)
            // Two letters, a blank and a path; and a NUL behind each.
            let records = input.split(separator: 0).filter { $0.count > 3 }
            try require(
                changes.count == records.count,
                "\(changes.count) changes instead of \(records.count)"
            )
            for (change, record) in zip(changes, records) {
                try require(change.path.elementsEqual(record.dropFirst(3)), "another path")
                try require(change.isUntracked == record.starts(with: "??".utf8), "untracked or not")
                try require(change.isAt(".") && change.isAt(Path(Array(change.path))), "not where it is")
            }
            return !changes.isEmpty
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

import Glibc
import Testing
import Unix

@Suite struct ErrnoTests {
    @Test func readsAsAHalfSentence() {
        #expect("\(Errno(.open, "a/b", code: EACCES))" == "cannot open a/b: Permission denied")
        #expect("\(Errno(.makeFolder, "x", code: EEXIST))" == "cannot create directory x: File exists")
        #expect(Errno(.write, "x", code: 99_999).reason == "Unknown error")
    }

    @Test(arguments: [
        (Errno.Operation.resolve, EXDEV, true), (.rename, EXDEV, false), (.resolve, ELOOP, false),
    ])
    func tellsALinkThatLeadsOutFromOtherTrouble(
        _ operation: Errno.Operation,
        _ code: Int32,
        _ leaves: Bool
    ) {
        #expect(Errno(operation, "x", code: code).leavesFolder == leaves)
    }
}

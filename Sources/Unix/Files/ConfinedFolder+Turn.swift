internal import CUnix
internal import Glibc
internal import Synchronization

/// The turn to write in a folder whose ``FileLock`` is lent.
///
/// The lock keeps other commands out. A command that waits for git lends it to what git's hooks run, which may be several
/// commands, may lend it further, and may outlive the hook, git, and the lender. So there is a second right: only who has
/// the turn writes. A command has it at its depth, which is how many lenders wait for it: of commands at one depth one
/// has the turn, and a lender goes on when none at a greater depth has it any more. As a lender keeps the lock until
/// then, no borrower writes while another command has the lock; and where a lender was killed, the next holder of the
/// lock, which is at depth 0, waits for the borrower, too.
///
/// Git could inherit the locked descriptor instead. But so would daemons that a hook leaves running, a gpg-agent among
/// others, and they would keep the store locked until the machine is shut down.
///
/// The turn belongs to this object's own open folder, and ends with it.
extension ConfinedFolder {
    /// What came of asking for the turn.
    package enum Turn: Sendable {
        /// It is this folder's now.
        case had
        /// It is another's.
        case taken
        /// There are no such locks here, and so nothing can be lent.
        case unknown
    }

    /// Takes the turn at a depth unless another has it, or one at a greater depth; to have it already is no harm.
    ///
    /// Calls `fcntl` with `F_OFD_SETLK`.
    func tryTurn(atDepth depth: Int) -> Turn {
        turnDepth.store(depth, ordering: .relaxed)
        if cunix_take_turn(descriptor.number, Int32(depth)) == 0 { return .had }
        guard errno == EWOULDBLOCK else { return .unknown }
        yieldTurn()
        return .taken
    }

    /// Waits until no borrower has the turn any more, `seconds` at most.
    ///
    /// - Returns: whether none has it now.
    package func retakeTurn(waiting seconds: Double) -> Bool {
        let depth = Int32(turnDepth.load(ordering: .relaxed))
        var wait = Pauses(seconds: seconds)
        // The own mark stays meanwhile: it keeps others of the same depth out.
        while cunix_take_turn(descriptor.number, depth) != 0, errno == EWOULDBLOCK {
            guard wait.pause() else { return false }
        }
        return true
    }

    /// Lets others have the turn.
    func yieldTurn() { cunix_yield_turn(descriptor.number) }
}

/// Pauses that grow from half a millisecond to 20, for some time.
struct Pauses {
    private var left: Int64
    private var next: UInt32 = 500

    init(seconds: Double) { left = Int64(seconds * 1_000_000) }

    /// Pauses, or answers that the time is over.
    mutating func pause() -> Bool {
        guard left > 0 else { return false }
        usleep(next)
        left -= Int64(next)
        next = min(2 * next, 20_000)
        return true
    }
}

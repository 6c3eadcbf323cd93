internal import GPGME

/// A context for one operation, which is opened when something needs it.
///
/// Most entries are encrypted without: opening the first one of a process starts gpg to ask for its version.
final class LazyContext {
    private let gnuPG: GnuPG
    private var opened: Context?

    init(_ gnuPG: GnuPG) { self.gnuPG = gnuPG }

    /// The context, the same at each call.
    func open() throws(StoreError) -> Context {
        if let opened { return opened }
        let context = try gnuPG.context()
        opened = context
        return context
    }
}

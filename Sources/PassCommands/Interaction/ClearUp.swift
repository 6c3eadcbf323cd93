internal import PasswordStore
internal import Unix

extension Session {
    /// Sees to what commands that were killed have left: a change half done, a text in an editor's folder.
    func clearUp() throws(Failure) {
        ScratchFolder.removeAbandoned(RecordFolder.forReading(environment))
        guard let recovery = try asFailure({ () throws(StoreError) in try store.recover() }),
            let sentence = sentence(for: recovery)
        else { return }
        output.error("\(program): \(sentence)")
        for path in recovery.overtaken {
            output.error(
                "\(program): \(settings.root.appending(path)) was changed meanwhile and stays as it is."
            )
        }
    }

    /// What happened; nothing when it is only that git refuses a commit again, which was said the first time.
    private func sentence(for recovery: Recovery) -> Text? {
        let counted: Text = "\(recovery.done) of \(Text.count(recovery.total, "file was", "files were"))"
        return switch (recovery.total, recovery.isFinished, recovery.receipt.failedCommit) {
        case (0, _, nil): "What an earlier command left uncommitted is committed now."
        case (0, _, _?): nil
        case (_, true, _):
            "An interrupted \(word(for: recovery.change)) is finished now; \(counted) done before."
        case (_, false, _):
            "An interrupted \(word(for: recovery.change)) is taken back; \(counted) prepared. Run it again."
        }
    }

    private func word(for change: Recovery.Change) -> Text {
        switch change {
        case .write: "write"
        case .remove: "rm"
        case .initialize: "init"
        case .move: "mv"
        case .copy: "cp"
        case .reencrypt: "re-encryption"
        case .transaction: "keychain change"
        }
    }
}

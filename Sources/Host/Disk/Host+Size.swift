import Record
import Store
import TaskModel

// The record stays small: in bytes, and as a file.
extension Host {
    /// Output after which its size is looked at again.
    private static let outputBetweenLooks = 16 << 20
    /// Between two steps of giving space back, and until the first.
    private static let shrinkingPause = TimeSpan.milliseconds(20)

    /// Until the log is looked at again that somebody reads from.
    private static let readersPause = TimeSpan.minutes(1)

    /// Throws away what is beyond the bound, one step a turn. Part of the turn's transaction.
    func boundRecord() throws(StoreError) {
        guard unweighedOutput >= min(Self.outputBetweenLooks, Int(configuration.retentionSize.bytes / 16)) else {
            return
        }
        if try store.prune(beyond: configuration.retentionSize) { return wantSmall() }
        unweighedOutput = 0
        wantSmall()
    }

    /// Something was thrown away.
    func wantSmall() {
        if nextShrinking == .distantFuture { nextShrinking = now.instant + Self.shrinkingPause }
    }

    /// Gives what is not used back to the file system, one step at a time, while nothing else is to be done. Between two
    /// transactions.
    func keepSmall() throws(StoreError) {
        // A short-lived host leaves it to the daemon, and to the end of the record.
        guard schedules else { return nextShrinking = .distantFuture }
        if store.isLogLong { wantSmall() }
        guard nextShrinking <= now.instant, work.isEmpty else { return }
        guard actions.isEmpty, requests.answers.isEmpty else {
            nextShrinking = now.instant + Self.shrinkingPause
            return
        }
        nextShrinking =
            switch try store.shrink() {
            case .done: .distantFuture
            case .unfinished: now.instant + Self.shrinkingPause
            case .heldUp: now.instant + Self.readersPause
            }
    }
}

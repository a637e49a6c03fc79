package import Record
import TaskModel

/// Tells what happens: whoever watches at once, the journal with the turn's commit. Thread: the loop's.
package final class Announcer {
    /// Hears of everything.
    package weak var audience: (any HostAudience)?
    private let decider: Decider
    private let keeper: RecordKeeper

    init(_ decider: Decider, _ keeper: RecordKeeper) {
        self.decider = decider
        self.keeper = keeper
    }

    /// Puts a line into the journal, and tells whoever listens.
    package func note(_ kind: JournalKind, _ subject: String, _ text: String) {
        keeper.write(.journal(JournalEntry(at: decider.now.time, kind: kind, subject: subject, text: text)))
        audience?.journal(kind.name, subject: subject, text: text)
    }
}

import Linux
package import TaskModel

/// What is logged.
package enum LogScope: String, NamedCases, Sendable {
    /// The host's life, and every end that is no success.
    case failures
    /// Starts, all ends and every line of the journal as well.
    case all
}

/// The host's log: systemd's journal, or lines on standard error. The entries of a turn are written together after it; what is
/// not taken at once is lost, and counted. Thread: the loop's.
package final class HostLog {
    /// Whether successes, starts and the whole journal are logged too.
    package let includesAll: Bool
    package let format: LogFormat
    private let sink: any LogSink
    private var entries: [LogEntry] = []
    private var pace = LogPace()
    /// Ends of this turn that others like them are added to: how many, and the place of the entry.
    private var crowds: [EndKind: (place: Int, count: Int64)] = [:]
    /// Entries that were not taken since the last that was.
    private var lost = 0
    /// Entries that one turn keeps; more are lost.
    private static let most = 127

    /// Make it before the host, which hides its descriptors.
    ///
    /// - Parameter format: nil: the journal if standard error leads there, else sentences.
    package convenience init(_ format: LogFormat?, _ scope: LogScope) {
        let format =
            format
            ?? LogFormat(
                variable: ThisProcess.variable("JOURNAL_STREAM"),
                stream: FileSystem.facts(lent: StandardStream.error.number))
        self.init(format, scope, to: format == .journal ? JournalSink(path: Self.journalSocket) : StreamSink())
    }

    /// Where systemd's journal takes messages.
    package static var journalSocket: String {
        ThisProcess.variable("TASKHOST_JOURNAL_SOCKET") ?? "/run/systemd/journal/socket"
    }

    package init(_ format: LogFormat, _ scope: LogScope, to sink: any LogSink) {
        self.format = format
        includesAll = scope == .all
        self.sink = sink
    }

    /// A sentence of the host's life. Faults of manifests may be many, before the first turn above all: none of them is lost
    /// for being too many for one call.
    package func say(_ sentence: String) {
        if entries.count == Self.most { flush() }
        add(LogEntry(.info, nil, sentence))
    }

    package func add(_ entry: LogEntry) {
        guard entries.count < Self.most else {
            lost += 1
            return
        }
        entries.append(entry)
    }

    /// Adds the end of a run, or counts it with others of this turn.
    package func addEnd(_ kind: EndKind, at now: Instant, _ entry: () -> LogEntry) {
        let isCalm = pace.isCalm(at: now)
        if !isCalm, let crowd = crowds[kind] {
            crowds[kind] = (crowd.place, crowd.count + 1)
            return
        }
        if entries.count < Self.most { crowds[kind] = (entries.count, 1) }
        add(entry())
    }

    /// Writes what was added, with one system call.
    package func flush() {
        guard !entries.isEmpty else { return }
        settleCrowds()
        if lost > 0 {
            var entry = LogEntry(
                .warning, .entriesLost, "\(lost) lines of this log were not read in time; they are not written")
            entry.add(.count, Int64(lost))
            entries.insert(entry, at: 0)
        }
        let time = Clock.moment().time
        let taken = sink.write(entries.map { format.bytes(of: $0, at: time) })
        // The notice is none of those that are counted.
        if lost > 0, taken == 0 { lost += entries.count - 1 } else { lost = entries.count - taken }
        entries.removeAll(keepingCapacity: true)
    }

    private func settleCrowds() {
        for crowd in crowds.values where crowd.count > 1 {
            entries[crowd.place].sentence += "; \(crowd.count - 1) more like it ended at the same time"
            entries[crowd.place].add(.count, crowd.count)
        }
        crowds.removeAll(keepingCapacity: true)
    }
}

package import Record
import TaskModel

/// One entry of the host's log: a sentence, and what it is about.
package struct LogEntry: Sendable, Equatable {
    /// A field's value: numbers are numbers in JSON.
    package enum Value: Sendable, Equatable {
        case text(String)
        case number(Int64)

        var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            }
        }
    }

    package struct Field: Sendable, Equatable {
        package var name: LogField
        package var value: Value
    }

    package var priority: LogPriority
    package var message: LogMessage?
    /// `what; where; more`.
    package var sentence: String
    package private(set) var fields: [Field] = []

    package init(_ priority: LogPriority, _ message: LogMessage? = nil, _ sentence: String) {
        self.priority = priority
        self.message = message
        self.sentence = sentence
    }

    /// A line of the journal.
    package init(_ entry: JournalEntry) {
        self.init(
            LogPriority(entry.kind), LogMessage(entry.kind),
            [entry.kind.name, entry.subject, entry.text].filter { !$0.isEmpty }.joined(separator: "; "))
        add(.event, entry.kind.name)
        add(.subject, entry.subject)
        if entry.kind == .quarantined { add(.application, entry.subject) }
    }

    /// Bytes of a sentence, and of a field. The rest is cut off, so that a message fits where it goes.
    static let maximumText = 3 << 10

    /// Adds a field; nil: there is nothing to tell.
    package mutating func add(_ name: LogField, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        fields.append(Field(name: name, value: .text(text)))
    }

    package mutating func add(_ name: LogField, _ number: Int64?) {
        if let number { fields.append(Field(name: name, value: .number(number))) }
    }
}

/// What an entry tells beside its sentence. A case's name is the key in lines.
package enum LogField: NamedCases, Sendable {
    case run, task, application, kind, attempt, outcome, reason
    /// Microseconds.
    case wallUsec, cpuUsec
    /// Bytes.
    case peakMemory
    case degraded, signal
    /// The worker's process.
    case pid
    /// The kind of a line of `taskhost journal`, and its subject.
    case event, subject
    /// How many alike ends of one turn this entry stands for; how many entries were lost.
    case count

    /// The key in systemd's journal.
    package var journalName: String {
        switch self {
        case .pid: "OBJECT_PID"
        case .wallUsec: "TASKHOST_WALL_USEC"
        case .cpuUsec: "TASKHOST_CPU_USEC"
        case .peakMemory: "TASKHOST_PEAK_MEMORY"
        case .run, .task, .application, .kind, .attempt, .outcome, .reason, .degraded, .signal, .event, .subject,
            .count:
            "TASKHOST_" + name.uppercased()
        }
    }
}

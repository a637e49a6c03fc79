/// One of the things that a request waits for before it may run.
///
/// The cases are in the order of their evaluation and display. The numbers are stored, are unrelated to that order, and are
/// never reused.
package enum Gate: UInt8, NamedCases, Comparable, Sendable, BitwiseCopyable {
    /// Its manifest was removed, or no longer has the task.
    case manifest = 1
    /// The user holds the task, its application or all work back.
    case paused = 28
    /// The user quit the application and has not opened it since.
    case forceQuit = 2
    /// Background refresh is turned off.
    case backgroundRefresh = 3
    /// The machine has not been unlocked since it started.
    case firstUnlock = 4
    /// The machine sleeps, or the user wants the host to act as if it did.
    case sleep = 26
    case earliestBeginDate = 5
    /// The pause after a failed attempt.
    case backoff = 6
    case externalPower = 7
    case batteryLevel = 8
    case lowPowerMode = 9
    case network = 10
    /// The machine is not idle.
    case idle = 11
    case cpuPressure = 12
    case memoryPressure = 13
    case thermal = 14
    /// No window of the configuration is open.
    case window = 27
    /// No file is there that the task waits for.
    case paths = 24
    /// None of its files has changed.
    case changed = 25
    /// The application crashed again and again.
    case quarantine = 15
    /// The application has used up its share of processor time.
    case quota = 16
    /// An earlier run of the same identifier is in progress.
    case overlap = 17
    /// As many runs of its kind as allowed are in progress.
    case kindCapacity = 18
    /// As many runs as the host allows are in progress.
    case capacity = 19
    /// Its manifest or library changed, and a run of the earlier revision is in progress.
    case revision = 20
    /// The host or the machine could not launch it: it waits before the next try.
    case shortage = 22
    /// Interrupted continued processing: its application has to be in the foreground.
    case foreground = 23
    /// The disk is nearly full.
    case diskSpace = 21

    /// Its place in the order, by its number.
    private static let places: [Int] = {
        var places = Array(repeating: 0, count: Int(allCases.map(\.rawValue).max() ?? 0) + 1)
        for (place, gate) in allCases.enumerated() { places[Int(gate.rawValue)] = place }
        return places
    }()

    /// Evaluated before the other.
    package static func < (a: Gate, b: Gate) -> Bool { places[Int(a.rawValue)] < places[Int(b.rawValue)] }
}

/// Whether a gate lets a request pass.
package enum Verdict: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case open = 0
    case closed = 1
    /// It has no source on this machine; `GateReport.holds` says what that means.
    case unknown = 2
}

/// One line of `taskhost why`.
package struct GateReport: Sendable, Equatable {
    package var gate: Gate
    package var verdict: Verdict
    /// It keeps the request from running.
    package var holds: Bool
    /// Since when it has this verdict; nil: since the host has known the request.
    package var since: Timestamp?
    /// When it can change without an event; nil: only with one.
    package var next: Timestamp?
    /// The observed state, such as "on battery, 54 %".
    package var found: String
    /// What would open it, such as "external power"; empty when it is open.
    package var opens: String

    package init(
        gate: Gate, verdict: Verdict, holds: Bool, since: Timestamp? = nil, next: Timestamp? = nil, found: String,
        opens: String = ""
    ) {
        self.gate = gate
        self.verdict = verdict
        self.holds = holds
        self.since = since
        self.next = next
        self.found = found
        self.opens = opens
    }
}

/// How long a gate delayed a request.
package struct GateWait: Sendable, BitwiseCopyable, Equatable {
    package var gate: Gate
    package var from: Timestamp
    package var to: Timestamp

    package init(gate: Gate, from: Timestamp, to: Timestamp) {
        self.gate = gate
        self.from = from
        self.to = to
    }
}

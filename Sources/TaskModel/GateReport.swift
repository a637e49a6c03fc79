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

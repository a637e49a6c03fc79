/// The record of a run; the source of every run document.
package struct RunRecord: Sendable, Equatable {
    package var id: ULID
    package var identifier: String
    package var application: String
    package var attempt: UInt32
    /// nil while the run is in progress.
    package var outcome: Outcome?
    package var reason: Reason?
    package var submittedAt: Timestamp
    package var startedAt: Timestamp?
    package var expiredAt: Timestamp?
    package var endedAt: Timestamp?
    package var figures: RunFigures
    /// When it was suspended, oldest first: the first `RunPause.most`.
    package var pauses: [RunPause] = []
    /// Limits that this machine could not enforce for the run.
    package var degraded: [String]
    /// Sentences for display.
    package var diagnostics: [String]
    package var events: [RunEvent]
    /// The confinement that the worker reported; nil until one was launched.
    package var confinement: String?
    /// What delayed its request before it started.
    package var waits: [GateWait]
    /// Who submitted its request; nil: it was forced, or recorded by a version without origins.
    package var origin: RequestOrigin?
    /// Of its task; nil: recorded by a version without kinds.
    package var kind: TaskKind?
    package var marks = RunMarks()
    /// The last line that it printed or logged; nil: it printed none, or it succeeded.
    package var lastLine: String?
    /// The gate that a run without a request waits for in the host before its launch; never recorded.
    package var gate: Gate?
    /// What it has left; nil unless a host has the run in progress. Never recorded.
    package var standing: RunStanding?

    package init(
        id: ULID, identifier: String, application: String, attempt: UInt32, outcome: Outcome? = nil,
        reason: Reason? = nil, submittedAt: Timestamp, startedAt: Timestamp? = nil, expiredAt: Timestamp? = nil,
        endedAt: Timestamp? = nil, figures: RunFigures = RunFigures(), degraded: [String] = [],
        diagnostics: [String] = [], events: [RunEvent] = [], confinement: String? = nil, waits: [GateWait] = [],
        origin: RequestOrigin? = nil
    ) {
        self.id = id
        self.identifier = identifier
        self.application = application
        self.attempt = attempt
        self.outcome = outcome
        self.reason = reason
        self.submittedAt = submittedAt
        self.startedAt = startedAt
        self.expiredAt = expiredAt
        self.endedAt = endedAt
        self.figures = figures
        self.degraded = degraded
        self.diagnostics = diagnostics
        self.events = events
        self.confinement = confinement
        self.waits = waits
        self.origin = origin
    }

    package var state: RunState {
        if outcome != nil { return .ended }
        return standing?.state ?? (startedAt == nil ? .waiting : .running)
    }
}

/// The start and end of a suspension, of the process or of the machine.
package struct RunPause: Sendable, Equatable, BitwiseCopyable {
    package var from: Timestamp
    /// nil: it still does.
    package var to: Timestamp?

    package init(from: Timestamp, to: Timestamp?) {
        self.from = from
        self.to = to
    }

    /// Of one run; later ones only count in `RunFigures.frozenTime`.
    package static let most = Limit.pauses.most
}

/// A step of a run.
package struct RunEvent: Sendable, Equatable, BitwiseCopyable {
    package enum Kind: UInt8, NamedCases, Sendable, BitwiseCopyable {
        case submitted = 1
        case launched = 2
        case started = 3
        case expired = 4
        case completed = 5
        case killed = 6
        case ended = 7
        case interrupted = 8
    }
    package var kind: Kind
    package var at: Timestamp
    /// A `Reason` (expired, interrupted) or an `Outcome` (killed because, ended) by number; 0 for none.
    package var detail: UInt8

    package init(kind: Kind, at: Timestamp, detail: UInt8 = 0) {
        self.kind = kind
        self.at = at
        self.detail = detail
    }
}

/// The result of a foreign function.
package enum ResultValue: Sendable, Equatable, BitwiseCopyable {
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    /// Only whether it was null: an address has no meaning elsewhere.
    case pointer(isNull: Bool)
    /// The result of a fetch or a remote notification.
    case fetch(FetchResult)
}

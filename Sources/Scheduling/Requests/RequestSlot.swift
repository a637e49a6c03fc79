import TaskModel

/// A request in the scheduler, packed: a machine may have a million of them. It is in its application's list while it is
/// pending, and in the scheduler's while it runs.
struct RequestSlot: Sendable, BitwiseCopyable {
    enum Phase: UInt8, Sendable, BitwiseCopyable {
        case pending
        case running
    }

    /// Where a pending request is kept until it can continue.
    enum Place: UInt8, Sendable, BitwiseCopyable {
        /// Nowhere: its manifest does not exist, an earlier run of its identifier is in progress, its application is not in
        /// the foreground, or a condition of its task is not met.
        case parked
        /// In the heap of dates.
        case dated
        /// In the heap of ends of pauses after an attempt.
        case backedOff
        /// In a lane of the ready queues.
        case ready
    }

    /// No time: the fields of an optional would take twice the space.
    static let none = Int64.min

    let identity: Int64
    /// Nanoseconds of the calendar, as are all times here but `backoffEnd`.
    let submitted: Int64
    /// Order of submission.
    let sequence: UInt64
    let earliest: Int64
    var scheduledFor: Int64
    /// The end of the pause after a failure: for display and the store, and on the monotonic clock, which decides.
    var notBefore = Self.none
    var backoffEnd: UInt64 = 0
    /// Since when it waits in this attempt; since when it runs.
    var since: Int64
    /// While it runs: since when it had waited.
    var waitedFrom: Int64 = 0
    let task: TaskIndex
    var attempt: UInt32
    let resources: UInt32
    /// Tries that failed, of those that count.
    var failures: UInt32 = 0
    /// How often in a row its handler deferred it; the pause is then the handler's choice.
    var deferrals: UInt8 = 0
    /// Class in which it waits or runs.
    var group = ConditionClass.none
    var phase = Phase.pending
    var place = Place.parked
    var kind: TaskKind
    let origin: RequestOrigin
    let strategy: SubmissionStrategy
    var flags = Flags()

    struct Flags: OptionSet, Sendable, BitwiseCopyable {
        let rawValue: UInt16
        /// Required by the request itself.
        static let power = Flags(rawValue: 1)
        static let network = Flags(rawValue: 2)
        /// The user wants it to run regardless of the gates.
        static let forced = Flags(rawValue: 4)
        /// The user quit its application: its run ends permanently.
        static let doomed = Flags(rawValue: 8)
        /// The host was notified that it has lost a condition.
        static let expired = Flags(rawValue: 16)
        /// Its date has let it go once: a schedule's time is not missed any more.
        static let released = Flags(rawValue: 32)
        /// It has started once: its date does not count any more.
        static let started = Flags(rawValue: 64)
        /// Continued processing that has begun once, or comes from the record: it begins in the foreground alone.
        static let foreground = Flags(rawValue: 128)
        /// Its time was moved when the clock was set back: it is not a time of its schedule.
        static let moved = Flags(rawValue: 256)

        /// It runs, and a later run of its identity has begun beside it: whatever its end, it has no further try.
        static let overtaken = Flags(rawValue: 512)

        /// The request's own requirements: 1 is power, 2 the network.
        var asked: UInt8 { UInt8(truncatingIfNeeded: rawValue & (Self.power.rawValue | Self.network.rawValue)) }
        var requirements: Requirements {
            Requirements(externalPower: contains(.power), network: contains(.network) ? .constrained : nil)
        }
    }

    /// Pending, and kept nowhere yet; as if it had never been tried.
    init(_ request: TaskRequest, of task: TaskIndex, sequence: UInt64) {
        self.sequence = sequence
        self.task = task
        identity = request.identity
        kind = request.kind
        submitted = request.submitted.nanoseconds
        since = submitted
        attempt = max(1, request.attempt)
        scheduledFor = request.scheduledFor?.nanoseconds ?? Self.none
        earliest = request.terms.earliestBeginDate?.nanoseconds ?? Self.none
        resources = request.terms.requiredResources
        strategy = request.terms.strategy
        origin = request.terms.origin
        if request.terms.requiresExternalPower { flags.insert(.power) }
        if request.terms.requiresNetwork { flags.insert(.network) }
    }

    mutating func put(_ place: Place, _ group: ConditionClass) {
        self.place = place
        self.group = group
    }

    /// The present request, without the parts that the scheduler does not use: texts, payload and names.
    var request: TaskRequest {
        var terms = RequestTerms()
        terms.earliestBeginDate = Self.time(earliest)
        terms.requiresExternalPower = flags.contains(.power)
        terms.requiresNetwork = flags.contains(.network)
        terms.strategy = strategy
        terms.requiredResources = resources
        terms.origin = origin
        var request = TaskRequest(
            identity: identity, kind: kind, terms: terms, submitted: Timestamp(nanoseconds: submitted))
        request.attempt = attempt
        request.failures = failures
        request.deferrals = deferrals
        request.notBefore = Self.time(notBefore)
        request.scheduledFor = Self.time(scheduledFor)
        return request
    }

    /// Whether it counts towards the limit of pending requests: those of the application's own code do.
    var counts: Bool { origin == .application }

    /// The date before which it must not run: the request's, and the schedule's.
    var date: Int64 {
        kind == .continuedProcessing || flags.contains(.started) ? Self.none : max(earliest, scheduledFor)
    }

    static func time(_ nanoseconds: Int64) -> Timestamp? {
        nanoseconds == none ? nil : Timestamp(nanoseconds: nanoseconds)
    }
}

/// All requests of the scheduler.
typealias RequestTable = SlotTable<RequestIndex, RequestSlot>

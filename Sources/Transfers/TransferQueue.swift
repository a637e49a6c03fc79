package import TaskModel

/// Decides which transfer may run, in which order, when it is tried again, and which application to launch for it: the
/// policy of background sessions, a value without clock, files or network. It takes part in the same turn as `Engine` and
/// `Scheduler`.
///
/// Every call takes the time of the turn, and appends its decisions to `decisions`. A call takes time for its own objects
/// and the logarithm of the rest. Handles of acknowledged transfers and removed sessions are invalid: calls with them do
/// nothing.
///
/// Recovery: `setConditions`, `setFreeSpace`, sessions, transfers in the order of their numbers, then `begin`. Until then
/// nothing begins and no application is launched.
///
/// The life of a transfer: `add` · `resume` · decision `begin` · `answered`, `progressed`, `whole` · `attemptEnded` · `ended`
/// (the host writes its end) · decision `wake` · (the application acknowledges) · `told`. Every call has an answer in every
/// state, also where it means nothing: `check` says what must hold after each.
package struct TransferQueue: Sendable {
    /// Transfers that become due at the same time are released in portions, so that a clock that jumps stalls no turn.
    static let portion = 1024
    /// What one that found the disk full needs at least.
    static let leastRoom: Int64 = 1 << 20
    /// How many may be syncing in addition to those that hold a connection.
    static let mostSaving = 256
    /// An upper bound of a need, whatever a server claims; sums of many stay within the type.
    static let largestNeed: Int64 = 1 << 50

    package let limits: TransferLimits
    var applications = Table<ApplicationIndex, ApplicationStanding>()
    var sessions = SlotTable<SessionIndex, SessionSlot>()
    var transfers = SlotTable<TransferIndex, TransferSlot>()
    /// The transfers of each session.
    var members = SlotLinks<TransferIndex>()
    var ready: ReadyTransfers

    /// Ends of `timeoutIntervalForResource`, on the monotonic clock: a calendar that jumps fails no transfer.
    var timeouts = SlotHeap<TransferIndex>()
    /// On the calendar.
    var dates = SlotHeap<TransferIndex>()
    /// Ends of pauses after failures, and of delays; on the monotonic clock.
    var pauses = SlotHeap<TransferIndex>()
    /// What those that wait for space need.
    var cramped = SlotHeap<TransferIndex>()
    /// When sessions' applications may be woken again; on the monotonic clock.
    var wakes = SlotHeap<SessionIndex>()

    var running = SlotList<TransferIndex>()
    var saving = SlotList<TransferIndex>()
    /// Paused until the network is back, or their pause is over.
    var cutOff = SlotList<TransferIndex>()
    /// Paused because they were slow while others waited.
    var yielded = SlotList<TransferIndex>()
    /// When running ones may turn out to be slow, on the monotonic clock; `distantFuture`: nobody waits for their places.
    var nextLook = Instant.distantFuture
    /// By class: transfers that are resumed and not over.
    var going = SIMD8<UInt32>(repeating: 0)
    var open = 0
    var untold = 0

    package internal(set) var conditions = DeviceConditions()
    var freeSpace = Int64.max
    /// For running transfers: their needs, and the bytes written since `freeSpace` was measured.
    var reserved: Int64 = 0
    var written: Int64 = 0

    var nextOrder: Int64 = 0
    var hasBegun = false
    /// More could be done, but not in this turn.
    var isStaggered = false
    /// The moment of the turn, as the last call gave it.
    var now = ClockReading(instant: Instant(nanoseconds: 0), time: Timestamp(nanoseconds: 0))
    /// What the host has to do, in order, until `removeDecisions`. The list is reused.
    package internal(set) var decisions: [TransferDecision] = []

    package init(limits: TransferLimits) {
        self.limits = limits
        ready = ReadyTransfers(limits)
        ready.setOpen(TransferClass.open(in: conditions))
    }

    /// Its decisions have been taken.
    package mutating func removeDecisions() { decisions.removeAll(keepingCapacity: true) }

    // MARK: Time

    /// Everything that the record has is there: from now on transfers go.
    package mutating func begin(at now: ClockReading) {
        self.now = now
        hasBegun = true
        for session in sessions.indices where sessions.isTaken(session) {
            considerWake(session)
        }
        advance(to: now)
    }

    /// Performs everything that is due by now.
    package mutating func advance(to now: ClockReading) {
        self.now = now
        guard hasBegun else { return }
        let instant = Int64(clamping: now.instant.nanoseconds)
        var left = Self.portion
        while left > 0, let index = timeouts.first(upTo: instant) {
            left -= 1
            end(index, .timedOut, nil)
        }
        while left > 0, let index = pauses.first(upTo: instant) {
            left -= 1
            place(index)
        }
        while left > 0, let index = dates.first(upTo: now.time.nanoseconds) {
            left -= 1
            place(index)
        }
        stopSlow()
        while let session = wakes.first(upTo: instant) {
            wakes.remove(session)
            considerWake(session)
        }
        start()
    }

    /// When `advance` has something to do; `distantFuture` when only an event can bring news.
    package func nextDeadline(at now: ClockReading) -> Instant {
        guard hasBegun else { return .distantFuture }
        guard !isStaggered else { return now.instant }
        var deadline = Instant.distantFuture
        let due = min(timeouts.least ?? .max, pauses.least ?? .max, wakes.least ?? .max)
        if due < .max { deadline = Instant(nanoseconds: UInt64(max(0, due))) }
        deadline = min(deadline, nextLook)
        if let date = dates.least {
            deadline = min(deadline, now.instant + max(.zero, Timestamp(nanoseconds: date) - now.time))
        }
        return max(deadline, now.instant)
    }
}

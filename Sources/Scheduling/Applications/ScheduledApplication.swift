import TaskModel

/// An application as the scheduler keeps it.
struct ScheduledApplication: Sendable, BitwiseCopyable {
    var memory: ApplicationMemory
    var state = ApplicationState.notRunning
    /// Its manifest or library changed, and its process is still that of the earlier revision.
    var isOutdated = false
    /// Pending requests that count in the limits, by `TaskKind`; health research counts as processing.
    var refreshes: UInt32 = 0
    var processings: UInt32 = 0
    var continued: UInt32 = 0
    /// Its pending requests, in the order in which they came.
    var pending = SlotList<RequestIndex>()
    /// The launch in which its requests of one turn are delivered, and that turn.
    var launch: UInt32 = 0
    var launchTurn: UInt64 = 0
    /// When a crash was last counted: two reports of one turn are one crash.
    var lastCrash = UInt64.max
    /// Since when each of its gates has been in its state; nanoseconds of the calendar.
    var forceQuitSince = RequestSlot.none
    var refreshSince = RequestSlot.none
    var quarantineSince = RequestSlot.none
    var quotaSince = RequestSlot.none
    var outdatedSince = RequestSlot.none
    var foregroundSince = RequestSlot.none
    /// The user holds its work back.
    var pause: WorkPause?
    /// Its task of the kind backgroundFetch; nil: there has never been one.
    var fetch: TaskIndex?
    /// Number of its newest entry in the log of past holds; 0: none.
    var newestHold: UInt64 = 0

    init(_ memory: ApplicationMemory) { self.memory = memory }

    func count(_ kind: TaskKind) -> UInt32 {
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: refreshes
        case .processing, .healthResearch: processings
        case .continuedProcessing: continued
        }
    }

    mutating func add(_ change: Int, _ kind: TaskKind) {
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: refreshes = UInt32(clamping: Int(refreshes) + change)
        case .processing, .healthResearch: processings = UInt32(clamping: Int(processings) + change)
        case .continuedProcessing: continued = UInt32(clamping: Int(continued) + change)
        }
    }

    func isOverQuota(_ limits: SchedulerLimits) -> Bool {
        guard let quota = limits.quota, memory.quotaEnd != nil else { return false }
        return memory.quotaUsed >= quota
    }

    var isQuarantined: Bool { memory.quarantinedUntil != nil }

    /// The user sees it, or is about to.
    var isInFront: Bool { state == .active || state == .inactive }

    /// Kinds of which none of its requests may run now.
    func blocked(_ limits: SchedulerLimits) -> KindSet {
        if isQuarantined || isOutdated || pause != nil { return .all }
        if memory.isForceQuit || isOverQuota(limits) { return .background }
        return memory.isRefreshDenied ? .refresh : []
    }
}

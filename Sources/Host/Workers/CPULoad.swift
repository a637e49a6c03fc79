import TaskModel

/// The processor time of a worker under a virtual clock: what it has used, and what it would have used while the clock was
/// moved, at the rate at which it used it before. Time that it waited for a processor counts: others on the machine, and how
/// many there are, do not decide what comes of a moved clock.
struct CPULoad {
    private var used = TimeSpan.zero
    private var waited = TimeSpan.zero
    private var extra = TimeSpan.zero
    /// Of one processor.
    private var rate = 0.0
    /// The most that it can use at once.
    private let processors: Double
    private var host: Instant
    private var machine: Instant

    /// Less says nothing of a rate.
    private static let shortest = TimeSpan.milliseconds(20)

    /// - Parameters:
    ///   - host: the present time by the host's clock.
    ///   - machine: the same by the machine's.
    ///   - processors: how many the machine has.
    init(host: Instant, machine: Instant, processors: Int) {
        self.processors = Double(processors)
        self.host = host
        self.machine = machine
    }

    /// - Parameters:
    ///   - cpu: what the worker has used by now.
    ///   - waiting: how long its threads have waited for a processor by now; of threads that ended it forgets.
    ///   - isBusy: it has a run; otherwise it uses no more than it has.
    mutating func reading(_ cpu: TimeSpan, waiting: TimeSpan, isBusy: Bool, host: Instant, machine: Instant) -> TimeSpan
    {
        let span = machine - self.machine
        if span >= Self.shortest {
            let used = cpu - self.used
            let wanted = used + max(.zero, waiting - waited)
            rate = max(used.seconds, min(wanted.seconds, span.seconds * processors)) / span.seconds
            self.used = cpu
            waited = waiting
            self.machine = machine
        }
        if isBusy { extra = extra + TimeSpan(nanoseconds: Int64((host - self.host).seconds * rate * 1e9)) }
        self.host = host
        return cpu + extra
    }
}

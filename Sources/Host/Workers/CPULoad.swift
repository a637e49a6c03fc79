import TaskModel

/// The processor time of a worker under a virtual clock: what it has used, and what it would have used while the clock was
/// moved, at the rate at which it used it before.
struct CPULoad {
    private var used = TimeSpan.zero
    private var extra = TimeSpan.zero
    /// Of one processor.
    private var rate = 0.0
    private var host: Instant
    private var machine: Instant

    /// Less says nothing of a rate.
    private static let shortest = TimeSpan.milliseconds(20)

    /// - Parameters:
    ///   - host: the present time by the host's clock.
    ///   - machine: the same by the machine's.
    init(host: Instant, machine: Instant) {
        self.host = host
        self.machine = machine
    }

    /// - Parameters:
    ///   - cpu: what the worker has used by now.
    ///   - isBusy: it has a run; otherwise it uses no more than it has.
    mutating func reading(_ cpu: TimeSpan, isBusy: Bool, host: Instant, machine: Instant) -> TimeSpan {
        let span = machine - self.machine
        if span >= Self.shortest {
            rate = (cpu - used).seconds / span.seconds
            used = cpu
            self.machine = machine
        }
        if isBusy { extra = extra + TimeSpan(nanoseconds: Int64((host - self.host).seconds * rate * 1e9)) }
        self.host = host
        return cpu + extra
    }
}

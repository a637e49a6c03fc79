import Linux
package import TaskModel

/// What a process that is slow to start has waited for, and where it is, if the kernel shows it to this user.
///
/// Time of its first thread counts: that one launches. Reads some files of `/proc` and of its control group once; for a
/// launch that is over its limit.
package struct LaunchExamination: Sendable, Equatable {
    /// Ready to run, and without a processor (`/proc/PID/schedstat`, and the present wait); nil: this kernel does not report
    /// it.
    package var processor: TimeSpan?
    /// Waiting for a disk: the stall time of its control group (`io.pressure`), or the process's own where the kernel keeps
    /// it (`kernel.task_delayacct`); nil: this kernel does not report it.
    package var disk: TimeSpan?
    /// Processor time that it had.
    package var used: TimeSpan?
    package var state: Character?
    /// Each of its threads waits for something that is neither a processor nor a disk; nil: this user may not see.
    package var isAsleep: Bool?
    /// A process between it and this one, which does a part of its birth, is ready to run or waits for a disk.
    package var isParentBusy = false
    /// Where its first thread is, such as `in clock_nanosleep, called from libFeeds.so+0x1139`; nil: this user may not see.
    package var place: String?

    /// Nothing is known.
    package init() {}

    /// - Parameters:
    ///   - span: since its launch.
    ///   - library: the file that it maps, to be looked for among its callers.
    package init(of pid: Int32, after span: TimeSpan, group: ControlGroup, library: String?) {
        disk = group.diskStall ?? Self.diskDelay(of: pid)
        used = ProcessHandle.cpuTime(of: pid).map(TimeSpan.init(nanoseconds:))
        let status = ProcessStatus(of: pid)
        state = status?.state
        isAsleep = Self.isAsleep(pid)
        isParentBusy = status.map { Self.isBusy(upTo: ThisProcess.pid, from: $0.parent) } ?? false
        let age = status.map { Self.age(start: $0.start, now: Clock.sinceBoot()) } ?? span
        processor = Self.delay(told: Self.schedulerDelay(of: pid), state: state, used: used, of: span, age: age)
        place = ExecutionPlace(of: pid)?.description(library: library)
    }

    /// The waits that are not its fault. Both can overlap when several threads of its group wait: the larger counts.
    package var waited: TimeSpan { max(processor ?? .zero, disk ?? .zero) }

    package enum Cause: Sendable {
        /// The machine: it waited for a processor or a disk for more than half of its time.
        case waiting
        /// The worker's own code, or what that waits for: the library is not mapped before the confinement. One look does not
        /// tell: what it waits for may lack a processor itself.
        case worker
        case library
        /// It goes on, slowly: of the time that a launch may take, it has not had enough on a processor to be blamed. Pages that
        /// come slowly cost processor time too: half of a launch's time was seen.
        case unclear
    }

    /// The cause of the delay.
    ///
    /// - Parameters:
    ///   - limit: processor time with which it would be ready if it could ever be.
    ///   - span: since its launch.
    ///   - hasConfined: it has reported its confinement, after which it maps the library.
    ///   - earlier: processor time that it had at the look before; nil: this is the first.
    package func cause(limit: TimeSpan, after span: TimeSpan, hasConfined: Bool, usedBefore earlier: TimeSpan?) -> Cause
    {
        guard waited.nanoseconds <= span.nanoseconds / 2 else { return .waiting }
        // Without its processor time nothing better is known than that it is late.
        let hasHadEnough = used.map { $0.nanoseconds >= limit.nanoseconds / 10 * 9 } ?? true
        guard hasHadEnough || isAsleep ?? true else { return .unclear }
        guard !hasConfined else { return .library }
        let standsStill = earlier.map { (used ?? .zero) - $0 < Self.leastProgress } ?? false
        return standsStill && !isParentBusy ? .worker : .unclear
    }

    /// One that goes on uses more of a processor from one look to the next.
    private static let leastProgress = TimeSpan.milliseconds(1)

    /// How often a launch that goes on slowly is looked at, each time after the time of a launch; then it is tried anew.
    package static let mostLooks = 4

    private static func isAsleep(_ pid: Int32) -> Bool? {
        guard let threads = try? FileSystem.names(in: "/proc/\(pid)/task") else { return nil }
        // One that has ended meanwhile waits for nothing.
        let states = threads.compactMap { Int32($0) }.compactMap { ProcessStatus(of: $0)?.state }
        return !states.contains { $0 == "R" || $0 == "D" }
    }

    /// Whether a process of those from `pid` up to `end`, which is left out, waits for a processor or a disk.
    private static func isBusy(upTo end: Int32, from pid: Int32) -> Bool {
        var next = pid
        // Its keeper and the zygote; an orphan's parent is none of them.
        for _ in 0..<2 where next > 1 && next != end {
            guard let status = ProcessStatus(of: next) else { return false }
            if isAsleep(next) == false { return true }
            next = status.parent
        }
        return false
    }

    /// How long it was without a processor. The kernel counts a wait when it ends: of one that is ready to run, all the time
    /// counts that it did not use. Before its birth what forks it was without one.
    ///
    /// - Parameters:
    ///   - span: since its launch was asked for.
    ///   - age: since it was forked; nil: the same.
    package static func delay(
        told: TimeSpan?, state: Character?, used: TimeSpan?, of span: TimeSpan, age: TimeSpan? = nil
    ) -> TimeSpan? {
        let unborn = max(.zero, span - (age ?? span))
        guard state == "R", let used else { return told.map { $0 + unborn } }
        return max((told ?? .zero) + unborn, span - used)
    }

    /// - Parameters:
    ///   - start: clock ticks since the machine's start, rounded down.
    ///   - now: nanoseconds since then.
    package static func age(start: UInt64, now: UInt64) -> TimeSpan {
        let begin = start.multipliedReportingOverflow(by: 1_000_000_000 / ProcessStatus.ticksPerSecond)
        guard !begin.overflow, begin.partialValue < now else { return .zero }
        return TimeSpan(nanoseconds: Int64(clamping: now - begin.partialValue))
    }

    /// The second number of `/proc/PID/schedstat`, nanoseconds (the kernel's Documentation/scheduler/sched-stats.rst).
    private static func schedulerDelay(of pid: Int32) -> TimeSpan? {
        (try? FileText.read("/proc/\(pid)/schedstat", limit: 4096)).flatMap { schedulerDelay(in: $0) }
    }

    package static func schedulerDelay(in text: String) -> TimeSpan? {
        let fields = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard fields.count >= 2, let delay = Int64(fields[1]), delay >= 0 else { return nil }
        return TimeSpan(nanoseconds: delay)
    }

    /// Field 42 of `/proc/PID/stat`, in clock ticks; it stays 0 where the kernel does not keep it.
    private static func diskDelay(of pid: Int32) -> TimeSpan? {
        guard let text = try? FileText.read("/proc/\(pid)/stat", limit: 4096) else { return nil }
        return diskDelay(in: text)
    }

    package static func diskDelay(in text: String) -> TimeSpan? {
        guard let close = text.lastIndex(of: ")") else { return nil }
        // Field 3 is the first one after the name.
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 39, let ticks = UInt64(fields[39]), ticks > 0, ticks < 1 << 40 else { return nil }
        return TimeSpan(nanoseconds: Int64(ticks) * 1_000_000_000 / Int64(ProcessStatus.ticksPerSecond))
    }
}

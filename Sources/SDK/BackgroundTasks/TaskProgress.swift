internal import Synchronization
internal import TaskHostRuntime

/// Progress that reports every change to the host.
final class TaskProgress: Progress, @unchecked Sendable {  // as its superclass; the rest has locks
    /// The resolution of the reported fraction while there are children.
    private static let parts: Int64 = 1000

    /// Not the task: the task owns this object. Nor must work that still holds it keep the run open.
    private weak var run: RunReference?
    /// Once there are children: of the fraction, which they change.
    private let observation = Mutex<NSKeyValueObservation?>(nil)
    private let pace = Mutex(Pace())
    private let steps = Mutex(TimedSteps())

    /// The worker forwards one report in 100 ms, and keeps the last one until the next or the end of the run.
    private static let pause: UInt64 = 110_000_000
    private struct Pace {
        /// Monotonic nanoseconds before which the worker may keep reports.
        var quiet: UInt64 = 0
        var isPlanned = false
    }

    init(run: RunReference?) {
        self.run = run
        super.init(parent: nil, userInfo: nil)
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            lookAtSteps(newValue)
            report()
        }
    }

    override var totalUnitCount: Int64 {
        get { super.totalUnitCount }
        set {
            super.totalUnitCount = newValue
            report()
        }
    }

    override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
        super.addChild(child, withPendingUnitCount: inUnitCount)
        if run != nil, observation.withLock({ $0 }) == nil {
            let new = observe(\.fractionCompleted) { progress, _ in progress.report() }
            observation.withLock { $0 = new }
        }
        report()
    }

    /// Reports, once for a run, progress that is time alone.
    private func lookAtSteps(_ count: Int64) {
        guard let run, run.isOpen else { return }
        let found = steps.withLock {
            $0.take(count, at: DispatchTime.now().uptimeNanoseconds) { Self.processorTime }
        }
        guard let found else { return }
        Diagnostic.write(
            "the progress of \(run.identifier) grows with time alone: \(found); count what is done, for the host takes a task "
                + "that makes no progress for one that hangs, and does not see it otherwise")
    }

    /// Nanoseconds of processor time that the process has used.
    private static var processorTime: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func report() {
        guard let run, run.isOpen else { return }
        if observation.withLock({ $0 }) == nil {
            // Negative counts mean "indeterminate" to Foundation.
            run.report(completed: max(0, completedUnitCount), of: max(0, totalUnitCount), text: nil)
        } else {
            let fraction = min(max(0, fractionCompleted), 1)
            run.report(completed: Int64(fraction * Double(Self.parts)), of: Self.parts, text: nil)
        }
        repeatLater()
    }

    /// Repeats a report that followed another one too soon, when it can be forwarded.
    private func repeatLater() {
        let now = DispatchTime.now().uptimeNanoseconds
        let time: UInt64? = pace.withLock { pace in
            guard now < pace.quiet else {
                pace.quiet = now + Self.pause
                return nil
            }
            defer { pace.isPlanned = true }
            return pace.isPlanned ? nil : pace.quiet
        }
        guard let time else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [weak self] in
            self?.pace.withLock { $0.isPlanned = false }
            self?.report()
        }
    }
}

internal import Synchronization
internal import TaskHostRuntime

/// Progress that reports every change to the host. Foundation on Linux has no key-value observing; its unit counts can be
/// overridden.
final class TaskProgress: Progress, @unchecked Sendable {  // as its superclass; `timer` has a lock
    /// How often children are read, in seconds. They change their parent without any notification. Well below the time
    /// without progress that the host allows.
    private static let look = 5
    /// The resolution of the reported fraction while there are children.
    private static let parts: Int64 = 1000

    /// Not the task: the task owns this object. Nor must work that still holds it keep the run open.
    private weak var run: RunReference?
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
    private let pace = Mutex(Pace())

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

    deinit { timer.withLock { $0 }?.cancel() }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
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
        guard run != nil else { return }
        let added = timer.withLock { timer -> (any DispatchSourceTimer)? in
            guard timer == nil else { return nil }
            timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            return timer
        }
        added?.setEventHandler { [weak self] in self?.report() }
        added?.schedule(deadline: .now() + .seconds(Self.look), repeating: .seconds(Self.look), leeway: .seconds(1))
        added?.resume()
    }

    private func report() {
        let timer = timer.withLock { $0 }
        guard let run, run.isOpen else {
            timer?.cancel()
            return
        }
        if timer == nil {
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

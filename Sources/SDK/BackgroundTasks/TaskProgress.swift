internal import Synchronization
internal import TaskHostRuntime

/// Progress that tells the host whenever it moves. Foundation of Linux has no key-value observing; its unit counts can be
/// overridden.
final class TaskProgress: Progress, @unchecked Sendable {  // as its superclass; `timer` has a lock
    /// How often children are looked at, in seconds. They move their parent without a trace that could be followed: only
    /// looking shows it. Well below the time without progress that the host allows.
    private static let look = 5
    /// Parts of the whole that are told while there are children.
    private static let parts: Int64 = 1000

    /// Not the task: the task owns this object. Nor is work that still holds it to keep the run open.
    private weak var run: RunReference?
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
    private let pace = Mutex(Pace())

    /// The worker lets one report in 100 ms through, and holds the last one back until the next or the end of the run.
    private static let pause: UInt64 = 110_000_000
    private struct Pace {
        /// Monotonic nanoseconds before which reports may be held back.
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

    /// What was told too soon after something else is told again when it can be heard.
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

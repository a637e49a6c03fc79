internal import TaskHostRuntime

/// Progress that tells the host whenever it moves. Foundation of Linux has no key-value observing; its unit counts can be
/// overridden.
final class TaskProgress: Progress, @unchecked Sendable {  // as its superclass
    /// Not the task: the task owns this object. Nor is work that still holds it to keep the run open.
    private weak var run: RunReference?

    init(run: RunReference?) {
        self.run = run
        super.init(parent: nil, userInfo: nil)
    }

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

    private func report() {
        // Negative counts mean "indeterminate" to Foundation.
        run?.report(completed: max(0, completedUnitCount), of: max(0, totalUnitCount), text: nil)
    }
}

internal import CTaskHost
internal import TaskHostRuntime

/// One run of a task, as the launch handler gets it. Dropping the last reference without completing it ends the run as
/// unreported.
open class BGTask: NSObject, @unchecked Sendable {  // `work` has its own lock
    /// The host's run; nil in an object that replaces a task in tests.
    package let work: TaskWork?

    /// For subclasses that replace a task in tests.
    public override init() {
        work = nil
        super.init()
    }

    init(_ work: TaskWork) {
        self.work = work
        super.init()
    }

    deinit { work?.dropped() }

    /// The identifier of the task.
    open var identifier: String { work?.run.identifier ?? "" }

    /// Called once, on the queue of the launch handler, shortly before the time is up or when a condition is lost. It must
    /// stop the work and complete the task. Cleared when it was called, and by completion.
    open var expirationHandler: (() -> Void)? {
        get { work?.expirationHandler ?? standInHandler }
        set { if let work { work.setExpirationHandler(newValue) } else { standInHandler = newValue } }
    }
    private var standInHandler: (() -> Void)?

    /// Completes the task. The first call counts.
    open func setTaskCompleted(success: Bool) { work?.complete(success: success) }

    open override var description: String { "<\(type(of: self)): \(identifier)>" }
}

/// A short refresh of the application's content.
open class BGAppRefreshTask: BGTask, @unchecked Sendable {}

/// Minutes of work while the device is idle.
open class BGProcessingTask: BGTask, @unchecked Sendable {}

/// Processing on behalf of a health study.
open class BGHealthResearchTask: BGProcessingTask, @unchecked Sendable {}

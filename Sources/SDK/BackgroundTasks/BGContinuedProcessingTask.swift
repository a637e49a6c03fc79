internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// Work that the user has started and that goes on in the background. Its progress has to move.
open class BGContinuedProcessingTask: BGTask, ProgressReporting, @unchecked Sendable {
    private let shown: Mutex<(title: String, subtitle: String)>

    /// How far the work is. Set its unit counts; the host shows them, and ends work that does not move.
    open var progress: Progress { ownProgress }
    private let ownProgress: TaskProgress

    /// For subclasses that stand in for a task in tests.
    public override init() {
        shown = Mutex(("", ""))
        ownProgress = TaskProgress(run: nil)
        super.init()
    }

    init(_ work: TaskWork, title: String, subtitle: String) {
        shown = Mutex((title, subtitle))
        ownProgress = TaskProgress(run: work.run)
        super.init(work)
    }

    /// What is shown for the work.
    open var title: String { shown.withLock { $0.title } }
    /// What is shown below the title.
    open var subtitle: String { shown.withLock { $0.subtitle } }

    /// Changes what is shown for the work.
    open func updateTitle(_ title: String, subtitle: String) {
        shown.withLock { $0 = (title, subtitle) }
        guard let work, let scheduling = unsafe ConnectedHost.current?.scheduling else { return }
        _ = unsafe scheduling.pointee.update_title(work.run.task, title, subtitle)
    }
}

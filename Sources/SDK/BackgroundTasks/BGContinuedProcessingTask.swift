internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// Work that the user has started and that continues in the background. It must report progress.
open class BGContinuedProcessingTask: BGTask, ProgressReporting, @unchecked Sendable {
    private let shown: Mutex<(title: String, subtitle: String)>

    /// How far the work is. Set its unit counts; the host shows them, and ends work that does not move.
    open var progress: Progress { ownProgress }
    private let ownProgress: TaskProgress

    /// For subclasses that replace a task in tests.
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

    /// The displayed title of the work.
    open var title: String { shown.withLock { $0.title } }
    /// The text below the title.
    open var subtitle: String { shown.withLock { $0.subtitle } }

    /// Changes the displayed texts.
    open func updateTitle(_ title: String, subtitle: String) {
        shown.withLock { $0 = (title, subtitle) }
        guard let work, let scheduling = unsafe ConnectedHost.current?.scheduling else { return }
        _ = unsafe scheduling.pointee.update_title(work.run.task, title, subtitle)
    }
}

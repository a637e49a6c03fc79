import Linux
import Synchronization
import TaskModel

/// Syncs the write-ahead log on a thread of its own, one sync after another. The thread starts with the first.
///
/// It has the log open for itself: SQLite locks the database file alone, so that closing this descriptor drops no lock (fcntl(2)).
final class LogSyncer: Sendable {
    /// A sync that has ended.
    struct Result {
        var code: Errno
        var span: TimeSpan
        /// The newest turn that was committed when it began.
        var turn: UInt64
    }

    /// What is called around each sync, by the thread.
    struct Hooks: Sendable {
        var willSync: @Sendable () -> Void = {}
        var didSync: @Sendable () -> Void = {}
    }

    private struct State {
        var delay = TimeSpan.zero
        var result: Result?
        var hooks = Hooks()
        var isRunning = false
        var isOver = false
    }

    private let log: Descriptor
    private let order: Descriptor
    /// Readable when a sync has ended.
    let bell: Descriptor
    private let state = Mutex(State())
    private let committed = Atomic<UInt64>(0)

    init(log path: String) throws(SystemError) {
        log = try Descriptor.open(path, [.O_RDONLY, .O_NOFOLLOW])
        order = try Descriptor.eventCounter()
        bell = try Descriptor.eventCounter()
    }

    func set(_ hooks: Hooks) { state.withLock { $0.hooks = hooks } }

    /// Starts the thread, if it does not run.
    ///
    /// - Returns: it runs.
    func start() -> Bool {
        if state.withLock({ $0.isRunning }) { return true }
        let isRunning = DetachedThread.start { self.run() }
        state.withLock { $0.isRunning = isRunning }
        return isRunning
    }

    /// A turn is in the log: a sync that begins later covers it.
    func didCommit(_ turn: UInt64) { committed.store(turn, ordering: .releasing) }

    /// Begins a sync of what is in the log after a while. None may be under way.
    func begin(after delay: TimeSpan) {
        state.withLock { $0.delay = delay }
        order.raise()
    }

    /// The result of the sync that has ended; nil: none has.
    func take() -> Result? {
        // First: one that ends meanwhile rings again.
        bell.clear()
        return state.withLock { $0.result.take() }
    }

    /// The thread ends once it has nothing to do.
    func end() {
        state.withLock { $0.isOver = true }
        order.raise()
    }

    private func run() {
        while true {
            order.wait()
            let (isOver, hooks, delay) = state.withLock { ($0.isOver, $0.hooks, $0.delay) }
            if isOver { return }
            if delay > .zero { Clock.pause(delay) }
            let turn = committed.load(ordering: .acquiring)
            hooks.willSync()
            let result = sync(turn)
            hooks.didSync()
            state.withLock { $0.result = result }
            bell.raise()
        }
    }

    private func sync(_ turn: UInt64) -> Result {
        let begin = Clock.monotonic()
        var code = Errno.success
        do throws(SystemError) { try log.syncContent() } catch { code = error.code }
        let span = TimeSpan(nanoseconds: Int64(clamping: Clock.monotonic() - begin))
        return Result(code: code, span: span, turn: turn)
    }
}

import Linux
import Synchronization
import TaskModel

/// Syncs the write-ahead log on a thread of its own, one sync after another. The thread starts when it is first needed.
///
/// It has the log open for itself: SQLite locks the database file alone, so that closing this descriptor drops no lock (fcntl(2)).
final class LogSyncer: Sendable {
    enum Order: Sendable {
        case sync
        /// Ring after this time.
        case rest(TimeSpan)
    }

    enum Done: Sendable {
        case rested
        case synced(in: TimeSpan)
        case failed(Errno)
    }

    /// What is called around each sync, by the thread.
    struct Hooks: Sendable {
        var willSync: @Sendable () -> Void = {}
        var didSync: @Sendable () -> Void = {}
    }

    private struct State {
        var order: Order?
        var done: Done?
        var hooks = Hooks()
        var isRunning = false
        var isOver = false
    }

    private let log: Descriptor
    private let wake: Descriptor
    /// Readable when an order has been carried out.
    let bell: Descriptor
    private let state = Mutex(State())

    init(log path: String) throws(SystemError) {
        log = try Descriptor.open(path, [.O_RDONLY, .O_NOFOLLOW])
        wake = try Descriptor.eventCounter()
        bell = try Descriptor.eventCounter()
    }

    func set(_ hooks: Hooks) { state.withLock { $0.hooks = hooks } }

    /// Starts the thread, if it does not run.
    ///
    /// - Returns: it runs.
    func start() -> Bool {
        state.withLock { state in
            if !state.isRunning { state.isRunning = DetachedThread.start { self.run() } }
            return state.isRunning
        }
    }

    /// None may be under way.
    func begin(_ order: Order) {
        state.withLock { $0.order = order }
        wake.raise()
    }

    /// How the order was carried out; nil: it is under way, or there is none.
    ///
    /// - Parameter waits: until it has been. There is one.
    func take(waits: Bool) -> Done? {
        if waits { _ = bell.isReady(.readable, within: nil) }
        // With the lock: the thread rings with it.
        return state.withLock {
            bell.clear()
            return $0.done.take()
        }
    }

    /// Syncs what is in the log, here.
    func syncNow() -> Done {
        let begin = Clock.monotonic()
        do throws(SystemError) { try log.syncContent() } catch { return .failed(error.code) }
        return .synced(in: Clock.span(since: begin))
    }

    /// The thread ends once it has nothing to do.
    func end() {
        state.withLock { $0.isOver = true }
        wake.raise()
    }

    private func run() {
        while true {
            wake.wait()
            let (order, hooks, isOver) = state.withLock { ($0.order.take(), $0.hooks, $0.isOver) }
            switch order {
            case .sync:
                hooks.willSync()
                let done = syncNow()
                hooks.didSync()
                tell(done)
            case .rest(let span):
                Clock.pause(span)
                tell(.rested)
            case nil: break
            }
            if isOver { return }
        }
    }

    private func tell(_ done: Done) {
        state.withLock {
            $0.done = done
            bell.raise()
        }
    }
}

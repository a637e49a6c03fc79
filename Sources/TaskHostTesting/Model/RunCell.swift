internal import CTaskHost
internal import Engine
internal import Foundation
internal import TaskModel

/// One run as the application sees it: what a worker keeps of it. The application holds references to `task`.
// Its memory goes with the last reference, as `taskhost.h` has it.
@safe final class RunCell: @unchecked Sendable {  // `lock` guards the variables; the task is constant
    /// What the application's pointer points to.
    @safe private struct Frame {
        var task: taskhost_task_t
        var cell: Unmanaged<RunCell>
    }

    let core: HostCore
    let worker: WorkerHandle
    let run: RunHandle
    let identifier: String
    let kind: TaskKind
    let title: CText
    let subtitle: CText
    let secrets: CellSecrets
    /// Its `traceparent`.
    let trace: CText
    private let texts: [CText]
    private var frame: UnsafeMutablePointer<Frame>?
    private let lock = NSCondition()
    private var references = 1
    private var isCompleted = false
    private var isExpired = false
    private var watches = false
    private var wasCalled = false
    private var saidTwice = false
    private var storedReason: UInt32 = 0
    private var handler: taskhost_expiration_fn?
    private var context: UnsafeMutableRawPointer?
    private var caller: pthread_t?

    /// - Parameters:
    ///   - folders: state, cache and manifest.
    ///   - deadline: of the monotonic clock.
    ///   - secrets: what the test has set for its task.
    init(
        _ core: HostCore, _ worker: WorkerHandle, _ run: RunHandle, _ slot: RunFacts, folders: [String],
        deadline: UInt64, secrets: [String: [UInt8]], trace: TraceIdentity
    ) {
        self.core = core
        self.worker = worker
        self.run = run
        identifier = slot.identifier
        kind = slot.kind
        title = CText(slot.title)
        subtitle = CText(slot.subtitle)
        self.secrets = CellSecrets(secrets, folder: core.folder)
        self.trace = CText(trace.traceparent)
        texts =
            [slot.identifier, slot.id].map { CText($0) } + [CText(slot.settings), CText(slot.payload)]
            + folders.map { CText($0) }
        let frame = UnsafeMutablePointer<Frame>.allocate(capacity: 1)
        unsafe self.frame = frame
        let task = unsafe taskhost_task_t(
            struct_size: UInt32(MemoryLayout<taskhost_task_t>.size), abi_version: TASKHOST_ABI_VERSION,
            host: RunServices.table, identifier: texts[0].bytes, run: texts[1].bytes, settings: texts[2].bytes,
            payload: texts[3].bytes, state_directory: texts[4].bytes, cache_directory: texts[5].bytes,
            manifest_directory: texts[6].bytes, deadline: deadline, kind: UInt32(slot.kind.rawValue),
            attempt: slot.attempt, plugin_data: nil)
        unsafe frame.initialize(to: Frame(task: task, cell: Unmanaged.passRetained(self)))
    }

    /// What the application gets.
    var task: UnsafeMutablePointer<taskhost_task_t>? {
        unsafe frame.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: taskhost_task_t.self) }
    }

    static func of(_ task: UnsafeMutablePointer<taskhost_task_t>) -> RunCell {
        unsafe UnsafeMutableRawPointer(task).assumingMemoryBound(to: Frame.self).pointee.cell.takeUnretainedValue()
    }

    // MARK: References

    func retain() { lock.withLock { references += 1 } }

    /// With the last reference the run ends as unreported, unless it was completed.
    func release() {
        let (isLast, isOpen) = lock.withLock {
            references -= 1
            guard references == 0 else { return (false, false) }
            defer { isCompleted = true }
            return (true, !isCompleted)
        }
        guard isLast else { return }
        secrets.forget()
        if isOpen { core.change { $0.hear(.unreported(worker, run)) } }
        guard let frame = unsafe frame else { return }
        unsafe self.frame = nil
        let cell = unsafe frame.pointee.cell
        unsafe frame.deinitialize(count: 1)
        unsafe frame.deallocate()
        unsafe cell.release()
    }

    /// Its handler is never called: the host has its outcome.
    func abandon() {
        lock.withLock { isCompleted = true }
        release()
    }

    // MARK: Ends

    var isOpen: Bool { lock.withLock { !isCompleted } }

    /// `TASKHOST_…` of a completion: the first one counts.
    func complete(automatic: Bool = false, _ event: Event) -> Int32 {
        let (isFirst, isNews) = lock.withLock {
            guard isCompleted else {
                isCompleted = true
                return (true, false)
            }
            defer { saidTwice = saidTwice || !automatic }
            return (false, !saidTwice && !automatic)
        }
        if isNews { core.change { $0.note(.completedTwice, run) } }
        guard isFirst else { return TASKHOST_ALREADY_COMPLETED }
        core.change { $0.hear(event) }
        return TASKHOST_OK
    }

    // MARK: The warning

    var reason: UInt32 { lock.withLock { storedReason } }

    func shouldStop() -> Bool {
        lock.withLock {
            watches = true
            return isExpired
        }
    }

    /// Returns when no other thread is inside the old handler any more.
    func setHandler(_ new: taskhost_expiration_fn?, _ newContext: UnsafeMutableRawPointer?) {
        lock.lock()
        while let caller, pthread_equal(caller, pthread_self()) == 0 { lock.wait() }
        let mustCall = unsafe isExpired && !wasCalled && new != nil
        wasCalled = wasCalled || mustCall
        unsafe handler = isExpired ? nil : new
        unsafe context = isExpired ? nil : newContext
        let reason = storedReason
        lock.unlock()
        if mustCall, let new = unsafe new { unsafe new(newContext, reason) }
    }

    /// Calls the expiration handler, once. A run that neither has one nor watches for its end is completed as failed.
    func expire(because reason: UInt32) {
        lock.lock()
        guard !isExpired, !isCompleted else { return lock.unlock() }
        isExpired = true
        storedReason = reason
        guard let call = unsafe handler else {
            let isLeft = watches
            lock.unlock()
            guard !isLeft else { return }
            core.change { $0.note(.noExpirationHandler, run) }
            _ = complete(
                automatic: true, .completed(worker, run, success: false, result: nil, automatic: true))
            return
        }
        let given = unsafe context
        unsafe handler = nil
        wasCalled = true
        caller = pthread_self()
        lock.unlock()
        unsafe call(given, reason)
        lock.lock()
        caller = nil
        lock.broadcast()
        lock.unlock()
    }
}

import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// The functions behind `taskhost_host_t`. Each finds the run at the task's address; one whose last reference was released
/// behaves like a completed one.
enum HostServices {
    /// At most one progress report in this span is forwarded; the last one is kept and sent at completion.
    private static let progressSpan: UInt64 = 100_000_000
    private static let longestLog = 4096

    /// The table that every task points to; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_host(
            struct_size: UInt32(MemoryLayout<taskhost_host>.size), abi_version: TASKHOST_ABI_VERSION,
            retain: { unsafe HostServices.retain($0) }, release: { unsafe HostServices.release(state(of: $0)) },
            complete: { unsafe HostServices.complete(state(of: $0), success: $1 != 0) },
            should_stop: { unsafe HostServices.shouldStop(state(of: $0)) ? 1 : 0 },
            time_remaining: { unsafe HostServices.timeRemaining(state(of: $0)) },
            set_expiration_handler: { unsafe HostServices.setExpirationHandler(state(of: $0), $1, $2) },
            expiration_reason: { unsafe state(of: $0).pointee.reason.load(ordering: .acquiring) },
            progress: { unsafe HostServices.progress(state(of: $0), $1, $2, $3) },
            log: { unsafe HostServices.log(state(of: $0), level: $1, $2, length: $3) },
            get_extension: { unsafe HostServices.extension(named: $0) },
            complete_later: { unsafe HostServices.completeLater(state(of: $0), seconds: $1) }))

    private static func `extension`(named name: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if unsafe isText(name, TASKHOST_SCHEDULING_EXTENSION) {
            return unsafe UnsafeRawPointer(SchedulingServices.table)
        }
        if unsafe isText(name, TASKHOST_LIFECYCLE_EXTENSION) { return unsafe UnsafeRawPointer(LifecycleServices.table) }
        if unsafe isText(name, TASKHOST_INFORMATION_EXTENSION) {
            return unsafe UnsafeRawPointer(InformationService.table)
        }
        if unsafe isText(name, TASKHOST_NOTIFICATIONS_EXTENSION) {
            return unsafe UnsafeRawPointer(NotificationService.table)
        }
        if unsafe isText(name, TASKHOST_SECRETS_EXTENSION) { return unsafe UnsafeRawPointer(SecretService.table) }
        if unsafe isText(name, TASKHOST_TRACE_EXTENSION) { return unsafe UnsafeRawPointer(TraceService.table) }
        if unsafe isText(name, TASKHOST_FLEET_EXTENSION) { return unsafe UnsafeRawPointer(FleetService.table) }
        if unsafe isText(name, TASKHOST_TRANSFER_EXTENSION) { return unsafe UnsafeRawPointer(TransferServices.table) }
        return nil
    }

    static func state(of task: UnsafeMutablePointer<taskhost_task>) -> UnsafeMutablePointer<HandlerRun> {
        unsafe UnsafeMutableRawPointer(task).assumingMemoryBound(to: HandlerRun.self)
    }

    private static func retain(
        _ task: UnsafeMutablePointer<taskhost_task>
    ) -> UnsafeMutablePointer<taskhost_task> {
        unsafe state(of: task).pointee.references.wrappingAdd(1, ordering: .relaxed)
        return unsafe task
    }

    /// Drops one reference; with the last one the run ends as unreported unless it was completed.
    static func release(_ state: UnsafeMutablePointer<HandlerRun>) {
        var count = unsafe state.pointee.references.load(ordering: .relaxed)
        repeat {
            guard count > 0 else {
                unsafe WorkerProcess.wire.send(.overReleased, run: state.pointee.handle)
                return
            }
            let (done, current) = unsafe state.pointee.references.weakCompareExchange(
                expected: count, desired: count - 1, ordering: .acquiringAndReleasing)
            if done { break }
            count = current
        } while true
        guard count == 1 else { return }
        if unsafe setFlag(HandlerRun.Flags.completed, of: state) {
            unsafe flushProgress(state)
            unsafe WorkerProcess.wire.send(.unreported, run: state.pointee.handle)
        }
        unsafe WorkerProcess.runs.recycle(state)
    }

    /// Sets a flag; false when it was set before.
    private static func setFlag(_ flag: UInt32, of state: UnsafeMutablePointer<HandlerRun>) -> Bool {
        unsafe state.pointee.flags.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue & flag == 0
    }

    static func complete(
        _ state: UnsafeMutablePointer<HandlerRun>, success: Bool, result: ResultValue? = nil, automatic: Bool = false
    ) -> Int32 {
        unsafe complete(state, Completion(success: success, result: result, automatic: automatic))
    }

    private static func completeLater(_ state: UnsafeMutablePointer<HandlerRun>, seconds: Double) -> Int32 {
        if let deferral = Deferral(seconds: seconds) { return unsafe complete(state, Completion(deferral)) }
        guard unsafe isUnderWay(state) else { return TASKHOST_ALREADY_COMPLETED }
        if unsafe setFlag(HandlerRun.Flags.saidBadDeferral, of: state) {
            unsafe WorkerProcess.wire.send(.badDeferral, run: state.pointee.handle)
        }
        return TASKHOST_INVALID
    }

    static func complete(_ state: UnsafeMutablePointer<HandlerRun>, _ completion: Completion) -> Int32 {
        guard unsafe isReferenced(state) else { return TASKHOST_ALREADY_COMPLETED }
        guard unsafe setFlag(HandlerRun.Flags.completed, of: state) else {
            if unsafe !completion.automatic && setFlag(HandlerRun.Flags.saidTwice, of: state) {
                unsafe WorkerProcess.wire.send(.completedTwice, run: state.pointee.handle)
            }
            return TASKHOST_ALREADY_COMPLETED
        }
        unsafe flushProgress(state)
        // Its output must be in the pipe before the host receives its end.
        StandardStream.flush()
        unsafe WorkerProcess.watch?.mark()
        unsafe WorkerProcess.wire.send(completion, run: state.pointee.handle)
        return TASKHOST_OK
    }

    /// The task has a reference left. The use of one that has none is noted, once.
    private static func isReferenced(_ state: UnsafeMutablePointer<HandlerRun>) -> Bool {
        guard unsafe state.pointee.references.load(ordering: .relaxed) == 0 else { return true }
        if unsafe setFlag(HandlerRun.Flags.saidDead, of: state) {
            unsafe WorkerProcess.wire.send(.usedAfterRelease, run: state.pointee.handle)
        }
        return false
    }

    static func shouldStop(_ state: UnsafeMutablePointer<HandlerRun>) -> Bool {
        _ = unsafe isReferenced(state)
        let flags = unsafe state.pointee.flags.load(ordering: .acquiring)
        if flags & HandlerRun.Flags.watches == 0 { _ = unsafe setFlag(HandlerRun.Flags.watches, of: state) }
        return flags & HandlerRun.Flags.expired != 0
    }

    static func timeRemaining(_ state: UnsafeMutablePointer<HandlerRun>) -> Double {
        let (deadline, now) = unsafe (state.pointee.deadline.load(ordering: .relaxed), Clock.monotonic())
        // No budget ends it.
        guard deadline < Instant.distantFuture.nanoseconds else { return .greatestFiniteMagnitude }
        return deadline > now ? Double(deadline - now) / 1e9 : 0
    }

    /// Returns only when no other thread is inside the old handler any more, so that the caller may free its context.
    private static func setExpirationHandler(
        _ state: UnsafeMutablePointer<HandlerRun>, _ handler: taskhost_expiration_fn?,
        _ context: UnsafeMutableRawPointer?
    ) {
        nonisolated(unsafe) let newContext = unsafe context
        var mustCall = false
        while true {
            let mustWait = unsafe state.pointee.guarded.withLock { guarded in
                if let thread = guarded.callingThread, thread != .current { return true }
                // Under the lock: either `expire` finds the handler, or we find that it has passed.
                let expired = unsafe state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.expired != 0
                mustCall = unsafe expired && !guarded.wasCalled && handler != nil
                guarded.wasCalled = guarded.wasCalled || mustCall
                unsafe guarded.handler = expired ? nil : handler
                unsafe guarded.context = expired ? nil : newContext
                return false
            }
            guard mustWait else { break }
            unsafe state.pointee.handlerGate.wait(while: 1)
        }
        if mustCall, let handler = unsafe handler {
            unsafe handler(context, state.pointee.reason.load(ordering: .acquiring))
        }
    }

    /// The warning: calls the handler, once. A run that neither has one nor watches is completed as failed.
    static func expire(_ state: UnsafeMutablePointer<HandlerRun>, reason: UInt32) {
        nonisolated(unsafe) var call: (taskhost_expiration_fn, UnsafeMutableRawPointer?)?
        let first = unsafe state.pointee.guarded.withLock { guarded in
            guard unsafe state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.expired == 0 else {
                return false
            }
            unsafe state.pointee.reason.store(reason, ordering: .releasing)
            _ = unsafe setFlag(HandlerRun.Flags.expired, of: state)
            guard unsafe state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.completed == 0 else {
                return false
            }
            if let handler = unsafe guarded.handler {
                unsafe call = (handler, guarded.context)
                guarded.wasCalled = true
                guarded.callingThread = .current
                unsafe state.pointee.handlerGate.set(1)
            }
            unsafe guarded.handler = nil
            return true
        }
        guard first else { return }
        if let (handler, context) = unsafe call {
            unsafe ThreadRun.with(state.pointee.handle) { unsafe handler(context, reason) }
            unsafe state.pointee.guarded.withLock { guarded in
                guarded.callingThread = nil
                unsafe state.pointee.handlerGate.set(0)
            }
            unsafe state.pointee.handlerGate.wakeAll()
        } else if unsafe state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.watches == 0 {
            unsafe WorkerProcess.wire.send(.noExpirationHandler, run: state.pointee.handle)
            _ = unsafe complete(state, success: false, automatic: true)
        }
    }

    /// The run has a reference left and no outcome yet.
    static func isUnderWay(_ state: UnsafeMutablePointer<HandlerRun>) -> Bool {
        unsafe isReferenced(state)
            && state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.completed == 0
    }

    private static func progress(
        _ state: UnsafeMutablePointer<HandlerRun>, _ completed: Int64, _ total: Int64, _ text: UnsafePointer<CChar>?
    ) -> Int32 {
        guard completed >= 0, total >= 0 else { return TASKHOST_INVALID }
        guard unsafe isUnderWay(state) else { return TASKHOST_ALREADY_COMPLETED }
        let report = unsafe ProgressReport(
            completed: completed, total: total, text: text.map { unsafe beginning(of: $0, most: 256) } ?? "")
        unsafe forward(report, of: state)
        return TASKHOST_OK
    }

    /// Sends a report of progress, or keeps it when one was sent just before.
    static func forward(_ report: ProgressReport, of state: UnsafeMutablePointer<HandlerRun>) {
        let now = Clock.monotonic()
        let quiet = unsafe state.pointee.progressQuiet.load(ordering: .relaxed)
        let mine =
            unsafe now >= quiet
            && state.pointee.progressQuiet.compareExchange(
                expected: quiet, desired: now + progressSpan, ordering: .relaxed
            ).exchanged
        unsafe state.pointee.guarded.withLock { $0.heldProgress = mine ? nil : report }
        if mine { unsafe WorkerProcess.wire.send(report.frame(run: state.pointee.handle)) }
    }

    private static func flushProgress(_ state: UnsafeMutablePointer<HandlerRun>) {
        guard let held = unsafe state.pointee.guarded.withLock({ $0.heldProgress }) else { return }
        unsafe WorkerProcess.wire.send(held.frame(run: state.pointee.handle))
    }

    private static func log(
        _ state: UnsafeMutablePointer<HandlerRun>, level: UInt32, _ text: UnsafePointer<CChar>, length: UInt64
    ) {
        guard unsafe isReferenced(state) else { return }
        let length = min(Int(clamping: length), longestLog)
        if let watch = unsafe WorkerProcess.watch { return unsafe watch.log(level, text, length: length) }
        var frame = unsafe FrameWriter(.log, run: state.pointee.handle)
        frame.integer(UInt8(clamping: level))
        unsafe frame.blob(UnsafeRawBufferPointer(start: text, count: length))
        WorkerProcess.wire.send(frame.finished() ?? [])
    }
}

internal import BackgroundTasks
internal import CApplication
internal import CTaskHost
internal import Foundation
internal import Synchronization
internal import TaskHostFoundation
internal import TaskHostRuntime
internal import TaskModel
internal import UIKit

/// The host of one test: the model under its lock, and the queue on which the application is called.
// `lock` guards the model and the waiters.
@safe final class HostCore: @unchecked Sendable {
    private let lock = NSLock()
    private let model: HostModel
    private let queue = DispatchQueue(label: "taskhost.testing")
    /// Effects that were passed on and have not happened yet.
    private var outstanding = 0
    private var waiters: [Waiter] = []
    private var nextWaiter = 0
    private var isClosed = false
    private struct Waiter {
        var number: Int
        var isMet: (HostModel, _ isIdle: Bool) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    let folder: URL
    let tables: Tables
    private let launching: @MainActor @Sendable () throws -> Void
    /// Of the process that is there, by identifier.
    private let handlers = Mutex<[String: Handler]>([:])
    @safe private struct Handler: @unchecked Sendable { let function: taskhost_handler_fn }

    private static let stored = Mutex<HostCore?>(nil)
    /// The host that this process is connected with.
    static var current: HostCore? { stored.withLock { $0 } }

    init(_ model: sending HostModel, folder: URL, launching: @escaping @MainActor @Sendable () throws -> Void) {
        tables = Tables(model.definition, folder: folder)
        self.model = model
        self.folder = folder
        self.launching = launching
        Self.stored.withLock { $0 = self }
    }

    /// The process is connected with no host any more, and the next one may be. Further calls do nothing.
    func close() {
        let isFirst = lock.withLock {
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        Self.stored.withLock { $0 = nil }
        queue.async { [folder] in
            Self.forget()
            // What the application still writes there is in the way of nothing.
            try? FileManager.default.removeItem(at: folder)
            Turnstile.leave()
        }
    }

    /// Waits for what is on the queue.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private static func forget() {
        MainThread.run {
            MainActor.assumeIsolated { UIApplication.forget() }
            LaunchHandlers.forget()
            BackgroundSessions.forget()
            Application.forget()
        }
    }

    // MARK: The model

    /// Reads or changes the model, and passes on what follows. Callbacks never run under the lock.
    @discardableResult
    func change<Result>(_ body: (HostModel) -> Result) -> Result {
        lock.lock()
        let result = body(model)
        model.settle()
        for effect in model.effects {
            outstanding += 1
            // Under the lock: the order on the queue is that of the decisions.
            queue.async { [self] in
                happen(effect)
                lock.lock()
                outstanding -= 1
                lock.unlock()
                change { _ in }
            }
        }
        model.effects.removeAll()
        let isIdle = outstanding == 0
        var met: [Waiter] = []
        waiters.removeAll { waiter in
            guard waiter.isMet(model, isIdle) else { return false }
            met.append(waiter)
            return true
        }
        lock.unlock()
        for waiter in met { waiter.continuation.resume(returning: true) }
        return result
    }

    /// Waits until it is so, on the real clock.
    /// - Parameter isMet: called under the lock; `isIdle`: the application was called for everything.
    /// - Returns: false when it was not within that time.
    func wait(
        within time: Duration, until isMet: @escaping @Sendable (HostModel, _ isIdle: Bool) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            lock.lock()
            if isMet(model, outstanding == 0) {
                lock.unlock()
                return continuation.resume(returning: true)
            }
            nextWaiter += 1
            let number = nextWaiter
            waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
            lock.unlock()
            let (seconds, rest) = time.components
            let end = DispatchTime.now() + Double(seconds) + Double(rest) / 1e18
            DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.giveUp(number) }
        }
    }

    private func giveUp(_ number: Int) {
        lock.lock()
        let place = waiters.firstIndex { $0.number == number }
        let waiter = place.map { waiters.remove(at: $0) }
        lock.unlock()
        waiter?.continuation.resume(returning: false)
    }

    // MARK: Effects

    private func happen(_ effect: Effect) {
        switch effect {
        case .launch(let worker): launch(worker)
        case .state(let worker, let state, let number):
            guard
                change({ model in
                    model.state = state
                    return model.process == worker
                })
            else { return }
            taskhost_sdk_state_changed(UInt32(state.rawValue))
            change { $0.hear(.returned(worker, state: number)) }
        case .start(let worker, let run): start(worker, run)
        case .expire(let run, let reason):
            let cell = change { model in model.facts[run]?.cell }
            cell?.expire(because: UInt32(reason.rawValue))
        case .expireAssertions(let worker): expireAssertions(of: worker)
        case .tellSession(let place): tellSession(place)
        case .tellProgress(let place, let event):
            let listener = change { $0.process == nil ? nil : $0.transfers.sessions[place].listener }
            if let listener { event.tell(listener) }
        case .handleSessions(let worker): handleSessions(of: worker)
        case .tellNetwork: LifecycleServices.tell(change { $0.conditions.network })
        case .terminate(let worker):
            guard change({ $0.process == worker }) else { return }
            taskhost_sdk_will_terminate()
            change { $0.exit(worker, .init(signal: 0, status: 0, outOfMemory: false)) }
        case .end:
            handlers.withLock { $0.removeAll() }
            Self.forget()
        }
    }

    private func launch(_ worker: WorkerHandle) {
        guard Self.current === self, change({ $0.process == worker }) else { return }
        LifecycleServices.tell(change { $0.conditions.network })
        var fault: String?
        MainThread.run {
            _ = unsafe Application.launch(tables.launch) {
                MainActor.assumeIsolated {
                    do { try launching() } catch { fault = "\(error)" }
                }
                return fault == nil ? 0 : 1
            }
        }
        change { [fault] model in
            model.launchFault = fault
            model.hear(fault == nil ? .ready(worker) : .refused(worker))
        }
    }

    private func start(_ worker: WorkerHandle, _ run: RunHandle) {
        let folders = tables.folders
        let clock = DispatchTime.now().uptimeNanoseconds
        let cell: RunCell? = change { model in
            guard model.process == worker, let facts = model.facts[run], let slot = model.engine.runs[run] else {
                return nil
            }
            let left = UInt64((slot.budgetEnd - model.now.instant).nanoseconds)
            let cell = RunCell(
                self, worker, run, facts, folders: folders, deadline: clock.addingReportingOverflow(left).partialValue,
                secrets: model.secrets[slot.task] ?? [:], trace: TraceIdentity(of: slot.id))
            model.facts[run]?.cell = cell
            return cell
        }
        guard let cell, let task = unsafe cell.task else { return }
        guard !cell.kind.isEvent else { return unsafe deliver(cell, task) }
        guard let handler = handler(for: cell.identifier) else {
            change { model in
                model.facts[run]?.diagnostics.append(
                    "the application has registered no handler for \(cell.identifier); register it at launch")
                model.hear(.declined(worker, run))
            }
            return cell.abandon()
        }
        unsafe handler.function(task)
        cell.release()
        // Behind the launch handler, which the SDK has just put there.
        LaunchHandlers.queue(of: cell.identifier)?.async { [self] in change { $0.facts[run]?.hasReturned = true } }
    }

    /// Calls the application for a fetch or a notification. It has no expiration handler, and all of its time.
    private func deliver(_ cell: RunCell, _ task: UnsafeMutablePointer<taskhost_task_t>) {
        _ = cell.shouldStop()
        let kind =
            cell.kind == .backgroundFetch ? TASKHOST_EVENT_PERFORM_FETCH : TASKHOST_EVENT_REMOTE_NOTIFICATION
        var event = unsafe taskhost_event_t(
            struct_size: UInt32(MemoryLayout<taskhost_event_t>.size), abi_version: TASKHOST_ABI_VERSION, kind: kind,
            state: UInt32(change { $0.state.rawValue }), task: task, payload: task.pointee.payload)
        unsafe taskhost_sdk_event(&event)
        cell.release()
        change { $0.facts[cell.run]?.hasReturned = true }
    }

    private func tellSession(_ place: Int) {
        while let (listener, event) = change({ $0.process == nil ? nil : $0.transfers.next(of: place) }) {
            event.tell(listener)
        }
    }

    private func handleSessions(of worker: WorkerHandle) {
        let names = change { $0.process == worker ? $0.takeCalled() : [] }
        guard !names.isEmpty else { return change { $0.hear(.sessionsHandled(worker)) } }
        for name in names {
            let payload = CText(name)
            var event = unsafe taskhost_event_t(
                struct_size: UInt32(MemoryLayout<taskhost_event_t>.size), abi_version: TASKHOST_ABI_VERSION,
                kind: TASKHOST_EVENT_HANDLE_SESSION_EVENTS, state: UInt32(change { $0.state.rawValue }), task: nil,
                payload: payload.bytes)
            withExtendedLifetime(payload) { unsafe taskhost_sdk_event(&event) }
        }
        change { model in
            for place in model.transfers.sessions.indices { model.effects.append(.tellSession(place)) }
        }
    }

    private func expireAssertions(of worker: WorkerHandle) {
        let ids: [UInt64] = change { model in
            guard model.process == worker else { return [] }
            model.assertions.wasWarned = true
            return model.assertions.held.map(\.id)
        }
        for id in ids { change({ $0.assertions.takeHandler(of: id) })?() }
    }

    // MARK: Handlers

    func register(_ identifier: String, _ handler: taskhost_handler_fn) -> Int32 {
        let isKnown = change { model in
            model.task(of: identifier) != nil || model.tasks.values.contains { $0.identifier == identifier }
        }
        guard isKnown else { return TASKHOST_UNKNOWN }
        handlers.withLock { unsafe $0[identifier] = Handler(function: handler) }
        return TASKHOST_OK
    }

    private func handler(for identifier: String) -> Handler? {
        handlers.withLock { handlers in
            handlers[identifier] ?? IdentifierPattern.pattern(for: identifier).flatMap { handlers[$0] }
        }
    }
}

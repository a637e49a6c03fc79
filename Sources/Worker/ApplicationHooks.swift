import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// The callbacks of an application (way 3 of taskhost.h), checked.
// The library is never unmapped.
@safe struct ApplicationHooks: @unchecked Sendable {  // C function pointers of a library that is never unmapped
    private var stateChanged: (@convention(c) (UInt32) -> Void)?
    private var willTerminate: (@convention(c) () -> Void)?
    var runMain: (@convention(c) () -> Void)?
    private var event: (@convention(c) (UnsafePointer<taskhost_event>) -> Void)?

    /// Registration is open during launch only.
    private static let register = unsafe Mutex<(@Sendable (String, taskhost_handler_fn) -> Int32)?>(nil)

    private var launch: @convention(c) (UnsafePointer<taskhost_launch>) -> Int32

    /// Finds the application's table and checks it.
    init(_ library: LoadedLibrary) throws(LoadError) {
        let table = try unsafe library.address(of: TASKHOST_APPLICATION_SYMBOL)
        let size = unsafe Int(table.loadUnaligned(as: UInt32.self))
        let version = unsafe table.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        guard version == TASKHOST_ABI_VERSION else {
            throw LoadError(
                "\(TASKHOST_APPLICATION_SYMBOL) is of ABI version \(version), this host speaks version "
                    + "\(TASKHOST_ABI_VERSION); rebuild the plugin against this host's taskhost.h")
        }
        // Read what both sides know; the rest counts as NULL.
        let application = unsafe readStruct(
            table.assumingMemoryBound(to: taskhost_application.self), taskhost_application())
        guard size >= 16, let launch = unsafe application.launch else {
            throw LoadError(
                "\(TASKHOST_APPLICATION_SYMBOL) has no launch function (its struct_size is \(size)); set struct_size to "
                    + "sizeof(taskhost_application_t) and launch to your function")
        }
        unsafe self.launch = launch
        stateChanged = application.state_changed
        willTerminate = application.will_terminate
        runMain = application.run_main
        unsafe event = application.event
    }

    /// Calls launch() on this thread.
    func launch(
        _ plan: LaunchPlan, _ folders: WorkerProcess.Folders,
        register: @escaping @Sendable (String, taskhost_handler_fn) -> Int32
    ) throws(LoadError) {
        // Never freed: the application may keep it.
        let arguments = unsafe forever(
            taskhost_launch(
                struct_size: UInt32(MemoryLayout<taskhost_launch>.size), abi_version: TASKHOST_ABI_VERSION,
                host: HostServices.table, application: taskhost_bytes(copying: plan.application),
                state_directory: folders.state, cache_directory: folders.cache, manifest_directory: folders.manifest,
                registry: UnsafeMutableRawPointer(mutating: HostServices.table),
                register_handler: { _, identifier, handler in
                    // Called with a copy: the table's own lock is taken inside.
                    guard let register = unsafe ApplicationHooks.register.withLock({ unsafe $0 }) else {
                        return TASKHOST_INVALID
                    }
                    return unsafe register(String(cString: identifier), handler)
                }))
        unsafe Self.register.withLock { unsafe $0 = unsafe register }
        let status = unsafe launch(arguments)
        unsafe Self.register.withLock { unsafe $0 = nil }
        guard status == 0 else { throw LoadError("launch() of \(plan.application) returned \(status)") }
    }
}

// MARK: - What an application is called for

extension ApplicationHooks {
    /// Whether it has callbacks for its states.
    var hearsOfStates: Bool { unsafe stateChanged != nil || event != nil }
    /// Whether fetches and remote notifications can be delivered to it.
    var takesEvents: Bool { unsafe event != nil }
    /// Whether it has a callback for its end.
    var hearsOfEnd: Bool { unsafe willTerminate != nil || event != nil }

    /// Calls it for a new state.
    ///
    /// - Parameter last: the last state it was called for; nil: none.
    func tell(_ state: ApplicationState, after last: ApplicationState?) {
        guard state != last else { return }
        stateChanged?(UInt32(state.rawValue))
        for callback in Self.callbacks(into: state, from: last) { unsafe call(callback, in: state) }
    }

    /// Calls it for its end.
    func tellOfEnd(in state: ApplicationState) {
        willTerminate?()
        unsafe call(.willTerminate, in: state)
    }

    /// Delivers a fetch or a remote notification.
    func deliver(_ task: UnsafeMutablePointer<taskhost_task>, in state: ApplicationState) {
        let isFetch = unsafe task.pointee.kind == TASKHOST_KIND_BACKGROUND_FETCH
        unsafe call(isFetch ? .performFetch : .didReceiveRemoteNotification, in: state, with: task)
    }

    /// Calls it for a session whose events follow.
    func handleEvents(of session: String, in state: ApplicationState) {
        unsafe session.withCString {
            let identifier = unsafe taskhost_bytes(bytes: $0, length: UInt64(session.utf8.count))
            unsafe call(.handleSessionEvents, in: state, payload: identifier)
        }
    }

    private func call(
        _ kind: ApplicationCallback, in state: ApplicationState, with task: UnsafeMutablePointer<taskhost_task>? = nil,
        payload: taskhost_bytes = unsafe taskhost_bytes()
    ) {
        guard let event = unsafe event else { return }
        var values = unsafe taskhost_event(
            struct_size: UInt32(MemoryLayout<taskhost_event>.size), abi_version: TASKHOST_ABI_VERSION,
            kind: UInt32(kind.rawValue), state: UInt32(state.rawValue), task: task,
            payload: task?.pointee.payload ?? payload)
        unsafe event(&values)
    }

    /// What UIKit calls an application for on its way into a state, in that order.
    private static func callbacks(
        into state: ApplicationState, from last: ApplicationState?
    ) -> [ApplicationCallback] {
        switch (last, state) {
        case (.active, .inactive): [.willResignActive]
        case (.background, .inactive): [.willEnterForeground]
        case (.background, .active): [.willEnterForeground, .didBecomeActive]
        case (_, .active): [.didBecomeActive]
        case (.active, .background): [.willResignActive, .didEnterBackground]
        case (_, .background): [.didEnterBackground]
        case (_, .inactive), (_, .notRunning), (_, .suspended): []
        }
    }
}

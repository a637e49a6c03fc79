import CApplication
import CTaskHost
import Foundation
import Synchronization

/// The application's lifecycle in this process: launch, changes of state, the end.
package enum Application {
    /// A module's callbacks. Called on the main thread, in the order of their registration.
    package struct Observer: @unchecked Sendable {  // called on the main thread only
        package let stateChanged: (_ state: UInt32) -> Void
        package let willTerminate: () -> Void
        /// Sees to it that the event is answered.
        package let fetch: (_ event: FetchEvent) -> Void
        /// Sees to it that `done` is called when the session's events have been handled.
        package let sessionEvents: (_ session: String, _ done: @escaping () -> Void) -> Void

        package init(
            stateChanged: @escaping (_ state: UInt32) -> Void, willTerminate: @escaping () -> Void,
            fetch: @escaping (_ event: FetchEvent) -> Void,
            sessionEvents: @escaping (_ session: String, _ done: @escaping () -> Void) -> Void
        ) {
            self.stateChanged = stateChanged
            self.willTerminate = willTerminate
            self.fetch = fetch
            self.sessionEvents = sessionEvents
        }
    }

    private struct State {
        var observers: [Observer] = []
        var hasLaunched = false
        /// Changes of state that are being delivered; work waits for them. A worker's first one is on its way from the start.
        var changing = 0
        var awaitsFirst = false
        var waiting: [Work] = []
    }
    private struct Work: @unchecked Sendable { let body: () -> Void }  // handed over, never shared
    private static let state = Mutex(State())

    /// Adds an observer, permanently.
    package static func observe(_ observer: Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Whether launch is over: only continued-processing handlers may be registered from then on.
    package static var hasLaunched: Bool { state.withLock { $0.hasLaunched } }

    /// Runs `body` once no change of state is in progress: an application's callbacks for the background precede its
    /// tasks. The worker calls both on different threads, in any order.
    package static func afterChanges(_ body: @escaping () -> Void) {
        let work = Work(body: body)
        let now = state.withLock { state in
            guard state.changing > 0 || state.awaitsFirst else { return true }
            state.waiting.append(work)
            return false
        }
        if now { body() }
    }

    /// Connects this process with the host, and launches the application.
    /// - Parameter main: the application's own main function; 0: it has launched.
    package static func launch(_ launch: UnsafePointer<taskhost_launch_t>, main: () -> Int32) -> Int32 {
        let host = unsafe ConnectedHost.connect(launch)
        MainBundle.fill(from: host)
        HomeFolders.make(in: host.stateDirectory, caches: host.cacheDirectory)
        HomeFileManager.takeOverDefault()
        let status = main()
        launched()
        return status
    }

    /// Disconnects this process, which then is as before the launch. Only for TaskHostTesting, whose processes share one.
    package static func forget() {
        ConnectedHost.disconnect()
        RunReference.forget()
        Assertions.forget()
        SessionHandling.forget()
        state.withLock { state in
            state.hasLaunched = false
            state.changing = 0
            state.awaitsFirst = false
            state.waiting = []
        }
    }

    /// Every host sends the first state right after the launch.
    private static func launched() {
        state.withLock { state in
            state.hasLaunched = true
            state.awaitsFirst = true
        }
    }

    /// Calls every observer, on the main thread, and returns when they have returned.
    fileprivate static func change(to new: UInt32) {
        state.withLock { $0.changing += 1 }
        onMain { observers in for observer in observers { observer.stateChanged(new) } }
        // From here on the host may suspend the process, or end it.
        if new != TASKHOST_STATE_ACTIVE { DefaultsDomains.flush() }
        let waiting = state.withLock { state in
            state.changing -= 1
            state.awaitsFirst = false
            guard state.changing == 0 else { return [Work]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for work in waiting { work.body() }
    }

    fileprivate static func terminate() {
        onMain { observers in for observer in observers { observer.willTerminate() } }
        DefaultsDomains.flush()
    }

    /// Calls the first observer, on the main thread, and returns when it has returned. Without one there would be no
    /// answer.
    fileprivate static func fetch(_ event: FetchEvent) {
        guard let observer = state.withLock({ $0.observers.first }) else { return event.answer(TASKHOST_FETCH_NO_DATA) }
        MainThread.run { observer.fetch(event) }
    }

    /// Calls the first observer, on the main thread, and returns when it has returned: the session's events follow.
    fileprivate static func handleEvents(of session: String) {
        let done = SessionHandling.begin(session)
        guard let observer = state.withLock({ $0.observers.first }) else {
            return SessionHandling.whenTold(session, done)
        }
        MainThread.run { observer.sessionEvents(session, done) }
    }

    private static func onMain(_ body: ([Observer]) -> Void) {
        let observers = state.withLock { $0.observers }
        guard !observers.isEmpty else { return }
        MainThread.run { body(observers) }
    }
}

// MARK: - Callbacks of the exported symbol

/// `launch` of `taskhost_application_t`: the plugin's own main() registers its handlers.
@c @implementation
public func taskhost_sdk_launch(_ launch: UnsafePointer<taskhost_launch_t>) -> Int32 {
    DefaultsDomains.install()
    let status = unsafe Application.launch(launch, main: taskhost_sdk_call_main)
    if status == TASKHOST_UNKNOWN {
        StandardError.write(
            "taskhost: this plugin has no main function; mark its application delegate, or a type with a static main()"
                + " that registers the handlers, with @main")
    }
    return status
}

/// `state_changed` of `taskhost_application_t`: returns when the application's callbacks have returned.
@c @implementation
public func taskhost_sdk_state_changed(_ state: UInt32) { Application.change(to: state) }

/// `will_terminate` of `taskhost_application_t`: returns when the application's callbacks have returned.
@c @implementation
public func taskhost_sdk_will_terminate() { Application.terminate() }

/// `event` of `taskhost_application_t`: for fetches, remote notifications and sessions' events. All other events also
/// arrive through `state_changed` and `will_terminate`, which handle them.
@c @implementation
public func taskhost_sdk_event(_ event: UnsafePointer<taskhost_event_t>) {
    if unsafe event.pointee.kind == TASKHOST_EVENT_HANDLE_SESSION_EVENTS {
        return unsafe Application.handleEvents(of: String(event.pointee.payload))
    }
    guard let fetch = unsafe FetchEvent(event.pointee) else { return }
    Application.fetch(fetch)
}

/// `run_main` of `taskhost_application_t`.
/// The main run loop drains the main queue on this thread, which dispatchMain() would not (it ends the main thread).
@c @implementation
public func taskhost_sdk_run_main() {
    while true { RunLoop.main.run() }
}

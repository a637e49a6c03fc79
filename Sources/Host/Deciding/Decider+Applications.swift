import Engine
import Scheduling
package import TaskModel

// What engine and scheduler know about applications, and what happens to these.
extension Decider {
    // MARK: Processes

    package func state(of application: ApplicationIndex) -> ApplicationState { engine.state(of: application) }

    /// The application of a task.
    func application(of task: TaskIndex) -> ApplicationIndex { engine.application(of: task) }

    /// The application of a worker; nil: the worker has been retired.
    func application(of worker: WorkerHandle) -> ApplicationIndex? { engine.application(of: worker) }

    /// Whether any application is suspended.
    var hasSuspended: Bool { engine.hasSuspended }

    /// Some application works out of sight: a run, or an assertion.
    var isBusyInBackground: Bool { engine.isBusyInBackground }

    /// Whether the application will be launched again for its sessions' events.
    func awaitsSessions(_ application: ApplicationIndex) -> Bool { engine.awaitsSessions(application) }

    /// The shortage because of which no worker of the application is launched now.
    func shortage(of application: ApplicationIndex) -> ShortageTally? { engine.shortage(of: application) }

    /// When its launch is tried again after a shortage; `distantFuture`: no pause.
    func holdEnd(of application: ApplicationIndex) -> Instant { engine.holdEnd(of: application) }

    // MARK: The scheduler's memory

    /// What is remembered of the application across restarts.
    package func memory(of application: ApplicationIndex) -> ApplicationMemory { scheduler.memory(of: application) }

    /// The application's processor time, as it still counts in the fair order.
    package func usage(of application: ApplicationIndex) -> TimeSpan { scheduler.usage(of: application, at: now) }

    /// Runs that were not requests used processor time.
    func charge(_ application: ApplicationIndex, cpuTime: TimeSpan) {
        scheduler.charge(application: application, cpuTime: cpuTime, at: now)
    }

    /// The application crashed, in any run or at launch. Reports in one turn count as one crash.
    func crashed(_ application: ApplicationIndex) { scheduler.crashed(application: application, at: now) }

    // MARK: Events

    /// When the application may be notified next; nil: at once.
    func nextNotification(of application: ApplicationIndex) -> Timestamp? {
        scheduler.nextNotification(of: application, at: now)
    }

    /// The shortest pause between two answered fetches; nil: the application requests none.
    func fetchInterval(of application: ApplicationIndex) -> TimeSpan? { scheduler.fetchInterval(of: application) }

    /// The application requests a fetch at each such interval; nil: none.
    func setFetchInterval(_ interval: TimeSpan?, of application: ApplicationIndex) {
        scheduler.setFetchInterval(interval, application: application, at: now)
    }

    // MARK: The user

    /// The user opened the application: its requests may run again.
    func open(_ application: ApplicationIndex) { scheduler.open(application: application, at: now) }

    /// The user quit the application: none of its requests runs until the user opens it.
    func quit(_ application: ApplicationIndex) { scheduler.quit(application: application, at: now) }

    /// The user ends the quarantine.
    func liftQuarantine(of application: ApplicationIndex) {
        scheduler.liftQuarantine(application: application, at: now)
    }

    /// Whether the user has turned background refresh off for the application.
    func setRefreshDenied(_ denied: Bool, of application: ApplicationIndex) {
        scheduler.setRefreshDenied(denied, application: application, at: now)
    }

    /// Holds a part's work back, or gives its pause another end.
    ///
    /// - Parameter pause: one from the record begins in the past.
    func pause(_ part: PausedPart, _ pause: WorkPause) { scheduler.pause(part, pause, at: now) }

    /// The user ends the pause.
    func resume(_ part: PausedPart) { _ = scheduler.resume(part, at: now) }
}

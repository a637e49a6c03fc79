import Engine
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
}

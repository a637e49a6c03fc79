import Engine
import Record
import Scheduling
import Store
package import TaskModel
import Wire
import Workers

// Applications and their states, as a person moves them.
extension Host {
    /// A person opens the application: launched to the foreground, and free to run in the background again.
    package func foreground(_ application: Int) {
        note(.opened, applications[application].definition.identifier, "brought to the foreground")
        scheduler.open(application: UInt32(application), at: now, into: &requests.decisions)
        engine.handle(.foreground(application: UInt32(application), true), at: now, into: &actions)
        settleDecisions()
    }

    /// A person leaves the application.
    package func background(_ application: Int) {
        engine.handle(.foreground(application: UInt32(application), false), at: now, into: &actions)
        settleDecisions()
    }

    /// A person removes the application from the switcher: it ends now, and does not run in the background until it is opened.
    package func quit(_ application: Int) {
        note(
            .forceQuit, applications[application].definition.identifier,
            "quit by a person; it runs in the background again when it is opened (taskhost foreground)")
        scheduler.quit(application: UInt32(application), at: now, into: &requests.decisions)
        engine.handle(
            .terminateApplication(application: UInt32(application), .userCancelled), at: now, into: &actions)
        settleDecisions()
    }

    package func liftQuarantine(_ application: Int) {
        note(.quarantineLifted, applications[application].definition.identifier, "lifted by a person")
        scheduler.liftQuarantine(application: UInt32(application), at: now, into: &requests.decisions)
        settleDecisions()
    }

    /// A person turns background refresh off or on for the application.
    package func setRefreshDenied(_ denied: Bool, _ application: Int) {
        note(
            denied ? .refreshDenied : .refreshAllowed, applications[application].definition.identifier,
            denied ? "background refresh is off" : "background refresh is on")
        scheduler.setRefreshDenied(denied, application: UInt32(application), at: now, into: &requests.decisions)
        settleDecisions()
        for case let record? in workers where record.application == application {
            // Between two runs it has been told that it is in the background, and is not told more.
            let state = engine.state(of: UInt32(application))
            tellState(state == .suspended ? .background : state, to: record.handle)
        }
    }

    /// Launches applications that have never run and have nothing pending, so that they can submit their requests: nobody
    /// opens an application on a machine without a screen.
    func introduce(_ candidates: some Sequence<Int>) throws(StoreError) {
        for index in candidates {
            let application = applications[index]
            guard application.library?.isApplication == true,
                try !store.hasRuns(ofApplication: application.definition.identifier),
                !scheduler.memory(of: UInt32(index)).isForceQuit,
                scheduler.pending(application: UInt32(index)).isEmpty
            else { continue }
            wake(index)
        }
    }

    /// Launches the application in the background without a run, if it is not running.
    func wake(_ application: Int) {
        engine.handle(.wake(application: UInt32(application)), at: now, into: &actions)
        settleDecisions()
    }

    /// Starts the pending request whatever holds it.
    package func simulateLaunch(_ request: RequestHandle) -> Bool {
        guard let view = scheduler.request(request),
            scheduler.simulateLaunch(identity: view.request.identity, at: now, into: &requests.decisions)
        else { return false }
        settleDecisions()
        return true
    }

    // MARK: Looking for runs

    /// The run of that id, while it is not forgotten by the engine.
    package func run(withID id: ULID) -> RunHandle? {
        engine.activeRuns.first { engine.run($0)?.id == id }
    }

    /// The runs of that identifier that go on.
    package func activeRuns(of identifier: String) -> [RunHandle] {
        engine.activeRuns.filter { self.identifier(of: $0) == identifier && engine.run($0)?.isActive == true }
    }

    // MARK: Frames to a worker

    /// Tells a worker of its application's state.
    func tellState(_ state: ApplicationState, to worker: WorkerHandle) {
        guard let record = self.worker(worker) else { return }
        var status = status(of: record.application, backgroundEnd: engine.backgroundEnd(of: worker))
        status.state = state
        record.channel.enqueue(status.frame())
        talk(record)
    }

    /// What a worker is told of its application. `isFirst`: while it is launched.
    func status(of application: Int, isFirst: Bool = false, backgroundEnd: Instant) -> ApplicationStatus {
        let memory = scheduler.memory(of: UInt32(application))
        let isDenied = memory.isRefreshDenied || device.effective.backgroundRefresh == .no
        let state = engine.state(of: UInt32(application))
        return ApplicationStatus(
            state: isFirst && state != .inactive ? .background : state,
            backgroundRefresh: isDenied ? .denied : .available, backgroundEnd: backgroundEnd)
    }
}

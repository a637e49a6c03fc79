import Engine
import Scheduling
package import Record
package import Setting
package import TaskModel

/// State changes of applications by the user, and by changed manifests while the host runs. Thread: the loop's.
package final class Applications {
    package let installed: Installation
    private let decider: Decider
    private let keeper: RecordKeeper
    private let requests: Requests
    private let workers: WorkerEffects
    private let transfers: BackgroundTransfers
    private let announcer: Announcer
    private let schedules: Bool

    init(
        _ installed: Installation, _ decider: Decider, _ keeper: RecordKeeper, _ requests: Requests,
        _ workers: WorkerEffects, _ transfers: BackgroundTransfers, _ announcer: Announcer, schedules: Bool
    ) {
        self.installed = installed
        self.decider = decider
        self.keeper = keeper
        self.requests = requests
        self.workers = workers
        self.transfers = transfers
        self.announcer = announcer
        self.schedules = schedules
    }

    private func name(_ application: ApplicationIndex) -> String {
        installed.name(of: application)
    }

    // MARK: States

    /// The user opens the application: it is launched to the foreground, and may run in the background again.
    package func foreground(_ application: ApplicationIndex) {
        announcer.note(.opened, name(application), "brought to the foreground")
        decider.open(application)
        decider.hear(.foreground(application: application, true))
        decider.settle()
    }

    /// The user sends the application to the background.
    package func background(_ application: ApplicationIndex) {
        decider.hear(.foreground(application: application, false))
        decider.settle()
    }

    /// The user quits the application: it ends now, and does not run in the background until it is opened.
    package func quit(_ application: ApplicationIndex) {
        announcer.note(
            .forceQuit, name(application),
            "quit by the user; it runs in the background again when it is opened (taskhost foreground)")
        decider.quit(application)
        transfers.quit(application)
        decider.hear(.terminateApplication(application: application, .userCancelled))
        decider.settle()
    }

    package func liftQuarantine(_ application: ApplicationIndex) {
        announcer.note(.quarantineLifted, name(application), "lifted by the user")
        decider.liftQuarantine(of: application)
        decider.settle()
    }

    /// The user turns background refresh off or on for the application.
    package func setRefreshDenied(_ denied: Bool, _ application: ApplicationIndex) {
        announcer.note(
            denied ? .refreshDenied : .refreshAllowed, name(application),
            denied ? "background refresh is off" : "background refresh is on")
        decider.setRefreshDenied(denied, of: application)
        decider.settle()
        workers.tellRefreshChange(of: application)
    }

    /// Launches the application in the background without a run, if it is not running.
    package func wake(_ application: ApplicationIndex) {
        decider.hear(.wake(application: application))
        decider.settle()
    }

    /// Launches applications that have never run and have nothing pending, so that they can submit their requests: on a
    /// machine without a screen no user opens them.
    package func introduce(_ candidates: some Sequence<ApplicationIndex>) throws(StoreError) {
        for index in candidates {
            guard installed.applications[index].library?.isApplication == true,
                // Else it has nothing to ask for.
                installed.applications[index].tasks.contains(where: { $0.kind != .remoteNotification }),
                try !keeper.reader.hasRuns(ofApplication: name(index)),
                !decider.memory(of: index).isForceQuit,
                decider.pendingRequests(of: index).isEmpty
            else { continue }
            wake(index)
        }
    }

    // MARK: Manifests that changed

    /// Brings the tables in line with one manifest that was reread: no pending request and no run is lost. A broken manifest
    /// keeps its last valid version. Takes time for that application alone.
    package func apply(_ change: ManifestChange) throws(HostError) {
        switch change {
        case .offered(let application): try offer(application)
        case .broken(let identifier, let fault):
            guard installed.application(named: identifier) != nil else { break }
            let room = JournalEntry.maximumText - Self.staying.utf8.count
            announcer.note(.manifestBroken, identifier, fault.cut(toBytes: room) + Self.staying)
        case .unused(let subject, let fault):
            announcer.note(.manifestBroken, subject, "not used: \(fault)".cut(toBytes: JournalEntry.maximumText))
        case .gone(let identifier):
            if let index = installed.application(named: identifier) { try remove(index) }
        }
        decider.settle()
    }

    private static let staying = "; the form that was good last stays in force"

    private func offer(_ application: InstalledApplication) throws(HostError) {
        let identifier = application.definition.identifier
        let added: [TaskIndex]
        let known = installed.application(named: identifier)
        if let index = known {
            guard installed.isNews(application, at: index) else { return }
            workers.willChange(index)
            added = try installed.replace(index, by: application)
        } else {
            added = try installed.install(application)
        }
        announcer.note(.manifestLoaded, identifier, application.definition.manifestPath)
        do throws(StoreError) {
            if let index = installed.application(named: identifier) {
                if known == nil { workers.arrived(index) }
                requests.pauses.arrived(index, added)
            }
            try requests.restoreOrphans(of: added)
            if let index = installed.application(named: identifier) { try transfers.arrived(index) }
            decider.settle()
            let isNew = known == nil || !added.isEmpty
            if schedules, isNew, let index = installed.application(named: identifier) { try introduce([index]) }
        } catch {
            throw .store(error)
        }
    }

    private func remove(_ index: ApplicationIndex) throws(HostError) {
        guard try installed.remove(index) else { return }
        transfers.left(index)
        workers.willChange(index)
        announcer.note(
            .manifestRemoved, name(index),
            "\(installed.applications[index].definition.manifestPath) was removed; its requests are kept")
    }
}

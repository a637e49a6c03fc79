import Conditions
import Linux
import Setting
import TaskModel
import Wire
import Workers

/// Disk budgets that the file system enforces. Decisions about runs are the same as with measurements. Thread: the
/// loop's.
final class DiskQuotas {
    /// nil: the state folder's file system does not.
    private(set) var keeper: ProjectKeeper?
    /// Why not.
    private var lack = DiskHold.Cause.noQuotas
    /// Of applications that were asked about; nil until the answer comes.
    private var holds: [ApplicationIndex: DiskHold?] = [:]
    /// The application of each project.
    private var applications: [UInt32: ApplicationIndex] = [:]
    /// Asks; `take` receives the answer.
    var ask: (DiskMeter.Question) -> Void = { _ in }
    /// Launches of the application need not wait for an answer any more.
    var release: (ApplicationIndex) -> Void = { _ in }
    /// The file system refused an application more than its folders may hold.
    var refused: (ApplicationIndex) -> Void = { _ in }
    /// Announcements were lost: others may have been refused something, and are announced again when they try again.
    var lost: () -> Void = {}
    private let place: HostPlace
    private let installed: Installation

    /// Finds out whether the state folder's file system has project quotas.
    init(_ place: HostPlace, _ loop: EventLoop, _ installed: Installation) {
        self.place = place
        self.installed = installed
        let found: ProjectKeeper
        do throws(ProjectKeeper.Lack) {
            found = try ProjectKeeper(of: place.state.path, range: place.configuration.users)
        } catch {
            lack = error.cause
            return
        }
        do {
            try loop.add(
                QuotaWatch(
                    device: found.quotas.device,
                    refused: { [unowned self] project in
                        if let application = applications[project] { refused(application) }
                    }, lost: { [unowned self] in lost() }))
            keeper = found
        } catch {
            // There would be no announcement of a refused write.
            lack = .unheard
        }
    }

    /// How the application's disk budget is enforced.
    func hold(of application: ApplicationIndex) -> DiskHold { (holds[application] ?? nil) ?? .weight(lack) }

    /// Whether a launch has to wait until its application's folders have a project. No process may move files while they are
    /// assigned to it.
    func isAwaited(by application: ApplicationIndex) -> Bool {
        askOnce(of: application)
        guard let hold = holds[application] else { return false }
        return hold == nil
    }

    /// Asks, once for each form of the application.
    func askOnce(of application: ApplicationIndex) {
        guard keeper != nil, holds[application] == nil else { return }
        // A fault of its folders appears at its launch.
        guard let wish = wish(of: application) else { return }
        holds[application] = .some(nil)
        ask(.hold(application: application, wish))
    }

    private func wish(of application: ApplicationIndex) -> ProjectKeeper.Wish? {
        let definition = installed.applications[application].definition
        guard
            let folders = try? place.state.folders(
                of: installed.applications[application], users: place.configuration.users)
        else { return nil }
        return ProjectKeeper.Wish(
            folder: place.state.folder(of: definition.identifier), parts: [folders.state, folders.cache],
            user: folders.identity.user, budget: budget(of: application))
    }

    /// Its folders belong to all of its tasks. What one of them may have alone is weighed.
    func budget(of application: ApplicationIndex) -> ByteCount {
        installed.applications[application].definition.tasks.map(\.budget.disk).max()
            ?? place.configuration.profile.disk
    }

    /// The manifest changed: the quota is set anew before the next worker.
    func forget(_ application: ApplicationIndex) { holds[application] = nil }

    func take(_ hold: DiskHold, of application: ApplicationIndex) {
        holds[application] = hold
        if let project = hold.project { applications[project] = application }
        release(application)
    }

    /// The kernel announces the next refusal once the limit was set again.
    func limitAgain(_ application: ApplicationIndex) {
        guard hold(of: application).project != nil, let wish = wish(of: application) else { return }
        ask(.hold(application: application, wish))
    }
}

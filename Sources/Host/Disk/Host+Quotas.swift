import Conditions
import Engine
import Linux
import TaskModel
import Workers

/// Who holds applications' folders to their budgets.
struct HostQuotas {
    /// nil: the state folder's file system does not.
    var keeper: ProjectKeeper?
    /// Why not.
    var lack = DiskHold.Cause.noQuotas
    /// Of applications that were asked about; nil until the answer comes.
    var holds: [Int: DiskHold?] = [:]
    /// Of each project that holds an application.
    var applications: [UInt32: UInt32] = [:]

    func hold(of application: Int) -> DiskHold { (holds[application] ?? nil) ?? .weight(lack) }
}

// Budgets that the file system itself holds. What runs may do with them is decided as where a thread weighs.
extension Host {
    /// Finds out whether the state folder's file system has project quotas. Once, before the first turn.
    func prepareQuotas() {
        let keeper: ProjectKeeper
        do throws(ProjectKeeper.Lack) {
            keeper = try ProjectKeeper(of: state.path, range: configuration.users)
        } catch {
            quotas.lack = error.cause
            return
        }
        do {
            try add(
                QuotaWatch(
                    device: keeper.quotas.device, refused: { [unowned self] in refused($0) },
                    lost: { [unowned self] in limitAgain() }))
            quotas.keeper = keeper
        } catch {
            // Nobody would tell why a run got no further.
            quotas.lack = .unheard
        }
    }

    /// Whether a launch has to wait until its application's folders are held; then it happens by itself. Nothing may move files
    /// about while they are given to a project.
    func waitsForDisk(_ launch: LaunchQueue.Entry) -> Bool {
        askForHold(of: launch.application)
        guard let hold = quotas.holds[launch.application], hold == nil else { return false }
        launches.hold(launch)
        return true
    }

    /// Asks, once for each form of the application.
    func askForHold(of application: Int) {
        guard quotas.keeper != nil, quotas.holds[application] == nil else { return }
        // What is wrong with its folders its launch tells.
        guard let wish = wish(of: application) else { return }
        quotas.holds[application] = .some(nil)
        ask(.hold(application: UInt32(application), wish))
    }

    private func wish(of application: Int) -> ProjectKeeper.Wish? {
        let definition = applications[application].definition
        guard let folders = try? state.folders(of: definition.identifier, users: configuration.users) else {
            return nil
        }
        return ProjectKeeper.Wish(
            folder: state.folder(of: definition.identifier), parts: [folders.state, folders.cache], user: folders.user,
            budget: diskBudget(of: application))
    }

    /// Its folders belong to all of its tasks. What one of them may have alone is weighed.
    private func diskBudget(of application: Int) -> ByteCount {
        applications[application].definition.tasks.map(\.budget.disk).max() ?? configuration.profile.disk
    }

    /// The manifest changed: what its folders may hold is set anew before the next worker.
    func forgetHold(of application: Int) { quotas.holds[application] = nil }

    func take(_ hold: DiskHold, of application: UInt32) {
        quotas.holds[Int(application)] = hold
        if let project = hold.project { quotas.applications[project] = application }
        launches.release(Int(application))
    }

    // MARK: Refusals

    private func refused(_ project: UInt32) {
        guard let application = quotas.applications[project] else { return }
        let runs = engine.activeRuns.filter { run in
            engine.run(run).map { $0.outcome == nil && engine.application(of: $0.task) == application } ?? false
        }
        for case let record? in workers where record.application == Int(application) && !record.isGone {
            meterOnce(record)
        }
        engine.handle(.diskRefused(application: application), at: now, into: &actions)
        for run in runs where engine.run(run)?.outcome == .exceededDisk {
            extras[Int(run.index)].diagnostics.append(
                "the file system refused it more than the \(diskBudget(of: Int(application))) that its folders may hold"
            )
        }
        limitAgain(Int(application))
    }

    /// Announcements were lost: others may have been refused something, and are announced again when they try again.
    private func limitAgain() {
        for application in Set(workers.compactMap { $0?.application }) { limitAgain(application) }
    }

    /// The kernel announces the next refusal once the limit was set again.
    private func limitAgain(_ application: Int) {
        guard quotas.hold(of: application).project != nil, let wish = wish(of: application) else { return }
        ask(.hold(application: UInt32(application), wish))
    }
}

import Engine
import Record
import Scheduling
import TaskModel
import Workers

// Manifests that changed while the host runs: nothing pending and nothing running is lost by it.
extension Host {
    /// Brings the tables in line with one manifest that was read again. What is broken keeps the form in which it was good
    /// last. Takes time for that application alone.
    func apply(_ change: ManifestChange) throws(HostError) {
        switch change {
        case .offered(let application): try offer(application)
        case .broken(let identifier, let path):
            if application(named: identifier) != nil { note(.manifestBroken, identifier, path) }
        case .gone(let identifier):
            if let index = application(named: identifier) { remove(index) }
        }
        settleDecisions()
    }

    private func offer(_ application: InstalledApplication) throws(HostError) {
        let identifier = application.definition.identifier
        let added: [UInt32]
        if let index = self.application(named: identifier) {
            guard !applications[index].isSame(as: application) || members[index].present < application.tasks.count
            else {
                return
            }
            added = try replace(index, by: application)
        } else {
            added = try install(application)
        }
        note(.manifestLoaded, identifier, application.definition.manifestPath)
        do throws(StoreError) {
            try restoreOrphans(of: added)
            settleDecisions()
            if schedules, let first = added.first { try introduce([tasks[Int(first)].application]) }
        } catch {
            throw .store(error)
        }
    }

    /// Gives an application its new form. Its present worker leaves as soon as it has no runs.
    private func replace(_ index: Int, by application: InstalledApplication) throws(HostError) -> [UInt32] {
        applications[index] = application
        writable.add(application.definition)
        removeSpareGroups(of: index)
        launchFrames[index] = nil
        forgetNetwork(of: index)
        forgetHold(of: index)
        engine.handle(.renewed(application: UInt32(index)), at: now, into: &actions)
        // Before the new rules let something start.
        while tellRenewal() {}
        var added: [UInt32] = []
        var kept = Set<UInt32>()
        for (place, task) in application.tasks.enumerated() {
            guard let known = self.task(named: task.identifier), tasks[Int(known)].application == index else {
                added.append(try add(task, place: UInt32(place), to: UInt32(index)))
                continue
            }
            kept.insert(known)
            tasks[Int(known)].definition = task
            tasks[Int(known)].place = UInt32(place)
            engine.setRules(Self.rules(task, UInt32(index)), of: known)
            scheduler.setRules(
                schedulingRules(task, UInt32(index), row: tasks[Int(known)].row), of: known, at: now,
                into: &requests.decisions)
            setRemoved(false, known)
        }
        kept.formUnion(added)
        for task in members[index].tasks where !kept.contains(task) { setRemoved(true, task) }
        return added
    }

    private func remove(_ index: Int) {
        guard members[index].present > 0 else { return }
        for task in members[index].tasks { setRemoved(true, task) }
        forgetNetwork(of: index)
        forgetHold(of: index)
        engine.handle(.renewed(application: UInt32(index)), at: now, into: &actions)
        let definition = applications[index].definition
        note(.manifestRemoved, definition.identifier, "\(definition.manifestPath) is gone; its requests are kept")
    }

    private func setRemoved(_ removed: Bool, _ task: UInt32) {
        guard tasks[Int(task)].isRemoved != removed else { return }
        tasks[Int(task)].isRemoved = removed
        countPresent(removed ? -1 : 1, of: tasks[Int(task)].application)
        scheduler.setRemoved(removed, task: task, at: now, into: &requests.decisions)
    }
}

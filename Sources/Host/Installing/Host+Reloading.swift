import Engine
import Scheduling
import Store
import Workers
import TaskModel

// Manifests that changed while the host runs: nothing pending and nothing running is lost by it.
extension Host {
    /// Brings the tables in line with what was read. What is broken keeps the form in which it was good last.
    ///
    /// - Returns: how many applications are installed now.
    @discardableResult
    package func reload(_ catalogue: Catalogue) throws(HostError) -> Int {
        var found = Set<String>()
        var added: [UInt32] = []
        for application in catalogue.applications {
            let identifier = application.definition.identifier
            found.insert(identifier)
            guard let index = self.application(named: identifier) else {
                added += try install(application)
                note(.manifestLoaded, identifier, application.definition.manifestPath)
                continue
            }
            guard
                !applications[index].isSame(as: application)
                    || tasks.contains(where: { $0.application == index && $0.isRemoved })
            else { continue }
            added += try replace(index, by: application)
            note(.manifestLoaded, identifier, application.definition.manifestPath)
        }
        let broken = Set(catalogue.brokenPaths)
        for (index, application) in applications.enumerated() where !found.contains(application.definition.identifier) {
            if broken.contains(application.definition.manifestPath) {
                note(.manifestBroken, application.definition.identifier, application.definition.manifestPath)
            } else {
                remove(index)
            }
        }
        do throws(StoreError) {
            let fresh = Set(added)
            if !fresh.isEmpty { try restoreRequests { fresh.contains($0) } }
        } catch {
            throw .store(error)
        }
        settleDecisions()
        do throws(StoreError) {
            if schedules { try introduce(Set(added.map { tasks[Int($0)].application })) }
        } catch {
            throw .store(error)
        }
        return found.count
    }

    /// Gives an application its new form. Its present worker leaves as soon as it has no runs.
    private func replace(_ index: Int, by application: InstalledApplication) throws(HostError) -> [UInt32] {
        applications[index] = application
        writable.add(application.definition)
        for group in launchFrames[index]?.spareGroups ?? [] { _ = group.remove() }
        launchFrames[index] = nil
        forgetNetwork(of: index)
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
        for task in tasks.indices where tasks[task].application == index && !kept.contains(UInt32(task)) {
            setRemoved(true, UInt32(task))
        }
        return added
    }

    private func remove(_ index: Int) {
        var had = false
        for task in tasks.indices where tasks[task].application == index && !tasks[task].isRemoved {
            setRemoved(true, UInt32(task))
            had = true
        }
        guard had else { return }
        forgetNetwork(of: index)
        engine.handle(.renewed(application: UInt32(index)), at: now, into: &actions)
        let definition = applications[index].definition
        note(.manifestRemoved, definition.identifier, "\(definition.manifestPath) is gone; its requests are kept")
    }

    private func setRemoved(_ removed: Bool, _ task: UInt32) {
        guard tasks[Int(task)].isRemoved != removed else { return }
        tasks[Int(task)].isRemoved = removed
        scheduler.setRemoved(removed, task: task, at: now, into: &requests.decisions)
    }
}

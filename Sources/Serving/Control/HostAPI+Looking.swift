import Host
import Linux
import Control
import Engine
import JSON
import Record
import Scheduling
import Setting
import TaskModel

// Documents about the host, its tasks and its past.
extension HostAPI {
    func hostDocument(for peer: Peer) -> JSONOutput {
        let transfers = host.transfers.activity()
        return .object([
            "version": .string(Release.version),
            "pid": JSONOutput(ThisProcess.pid as Int32?),
            "state": .string(host.place.state.path),
            "startedAt": .string(startedAt.iso8601),
            "manifests": .array(manifests.map(JSONOutput.string)),
            "profile": .string(host.place.configuration.profile.name),
            "tier": .string(host.workers.tier),
            "running": JSONOutput(host.decider.runsInProgress as Int?),
            "pending": JSONOutput(host.decider.pendingRequestCount as Int?),
            "applications": JSONOutput(host.installed.applications.count as Int?),
            "clock": .string(host.decider.isVirtual ? "virtual" : "machine"),
            "time": .string(host.moment.time.iso8601),
            "faults": .bool(host.faults.isAllowed),
            "longestTurn": .double(host.decider.longestTurn.seconds),
            "transfers": .object([
                "running": .integer(Int64(transfers.running)), "waiting": .integer(Int64(transfers.waiting)),
                "rate": .integer(transfers.rate),
            ]),
            "fleet": FleetDocument.json(host.fleet),
            "name": .string(MachineIdentity.name),
            "mayChange": .bool(peer.access == .all),
        ])
    }

    /// The machine's conditions, and whether the fleet is within reach.
    var deviceDocument: JSONOutput {
        DeviceDocument.json(host.device.state).adding("fleet", FleetDocument.json(host.fleet))
    }

    /// All tasks, or a page of them. They are counted as they are installed, so that pages hold together while manifests come
    /// and go.
    ///
    /// - Parameter recent: so many of each task's newest ended runs are told with it; nil: none.
    func listTasks(after: String?, limit: Int?, recent: Int?) throws(Problem) -> LongListing {
        var index = TaskIndex.first
        if let after {
            guard let task = host.installed.task(named: after) else { throw noSuchTask(after) }
            index = task.next
        }
        var rest = limit ?? .max
        var active = ActiveRuns(host)
        return LongListing("tasks", willContinue: { active.forget() }) { [unowned self] () throws(Problem) in
            while host.installed.tasks.contains(index), host.installed.tasks[index].isRemoved { index = index.next }
            guard rest > 0, host.installed.tasks.contains(index) else { return nil }
            rest -= 1
            defer { index = index.next }
            let document = try taskDocument(index, &active)
            guard let recent else { return document }
            return document.adding("recent", try recentRuns(of: index, recent))
        }
    }

    private func recentRuns(of index: TaskIndex, _ limit: Int) throws(Problem) -> JSONOutput {
        var filter = RunFilter()
        filter.tasks = [host.installed.tasks[index].row]
        // Those in progress have no outcome yet; few are.
        let page = try PastAPI.reading(host.history.runs(matching: filter, before: nil, limit: limit))
        return .array(
            page.elements.compactMap { run in
                run.outcome.map { outcome in
                    [
                        "run": .string(run.id.description), "outcome": .string(outcome.name),
                        "endedAt": JSONOutput(run.endedAt?.iso8601),
                        "wallTime": JSONOutput(run.figures.wallTime?.seconds),
                    ]
                }
            })
    }

    /// The runs in progress, the oldest first.
    func listActive() -> LongListing {
        let runs = host.decider.activeRuns
        var ids = runs.compactMap { run in host.decider.run(run).map { ($0.sequence, $0.id) } }
            .sorted { $0.0 < $1.0 }.map(\.1)[...]
        var active = ActiveRuns(host)
        return LongListing("runs", willContinue: { active.forget() }) { [unowned self] in
            // One that has ended since has left the list.
            while let id = ids.popFirst() {
                guard let record = host.record(of: id), record.outcome == nil else { continue }
                return RunDocument.json(live(record, &active))
            }
            return nil
        }
    }

    private func taskDocument(_ index: TaskIndex, _ active: inout ActiveRuns) throws(Problem) -> JSONOutput {
        let task = host.installed.tasks[index]
        let last = try PastAPI.reading(host.history.lastRun(of: task.definition.identifier))
        let application = host.installed.applications[task.application].definition
        return TaskDocument.json(
            task.definition, of: application, standing: host.requests.standing(of: index),
            last: last.map { live($0, &active) }, lastTermination: lastTermination(of: application.identifier))
    }

    func why(_ identifier: String) throws(Problem) -> JSONOutput {
        let unused = unusedFault(of: identifier)
        if let document = host.requests.whyOrphanDocument(identifier, unused: unused) { return document }
        let task = try task(identifier)
        // The form of a manifest that was good last stays in force.
        if host.installed.tasks[task].isRemoved, let unused, host.requests.pending(identifier) == nil {
            throw .unusedTask(identifier, unused)
        }
        return host.requests.whyDocument(identifier, task, unused: unused)
    }

    func listApplications() -> LongListing {
        var index = ApplicationIndex.first
        var workers: [ApplicationIndex: Int] = [:]
        return LongListing("applications", willContinue: { [unowned self] in workers = host.workers.counts }) {
            [unowned self] in
            guard host.installed.applications.contains(index) else { return nil }
            defer { index = index.next }
            return applicationDocument(index, workers: workers[index] ?? 0)
        }
    }

    /// An unreadable record has been reported by now, by the host that serves the request.
    func lastTermination(of application: String) -> Termination? {
        (try? host.history.lastTermination(of: application)) ?? nil
    }

    func applicationDocument(_ index: ApplicationIndex) -> JSONOutput {
        applicationDocument(index, workers: host.workers.counts[index] ?? 0)
    }

    private func applicationDocument(_ index: ApplicationIndex, workers: Int) -> JSONOutput {
        let memory = host.decider.memory(of: index)
        let definition = host.installed.applications[index].definition
        let end: JSONOutput = lastTermination(of: definition.identifier).map { TerminationDocument.json($0) } ?? .null
        return .object([
            "identifier": .string(definition.identifier),
            "name": JSONOutput(definition.name),
            "state": .string(host.decider.state(of: index).name),
            "forceQuit": .bool(memory.isForceQuit),
            "refreshDenied": .bool(memory.isRefreshDenied),
            "quarantinedUntil": JSONOutput(memory.quarantinedUntil?.iso8601),
            "usage": .double(host.decider.usage(of: index).seconds),
            "crashes": .integer(Int64(memory.crashes)),
            "quotaUsed": .double(memory.quotaUsed.seconds),
            "quotaEnd": JSONOutput(memory.quotaEnd?.iso8601),
            "workers": JSONOutput(workers as Int?),
            "installed": .bool(host.installed.isPresent(index)),
            "tasks": JSONOutput(host.installed.taskCount(of: index) as Int?),
            "lastTermination": end,
            "fetchInterval": JSONOutput(memory.fetchInterval?.seconds),
            "unansweredFetches": .integer(Int64(memory.unansweredFetches)),
            "notified": .array(memory.notifications.list.map { .string($0.iso8601) }),
        ])
    }

    /// Adds the present data of a run in progress, which is recorded only at its end.
    func live(_ record: RunRecord, _ active: inout ActiveRuns) -> RunRecord {
        guard record.outcome == nil, let run = active.run(withID: record.id),
            let slot = host.decider.run(run)
        else {
            return record
        }
        var record = record
        record.startedAt = slot.started?.time
        record.expiredAt = slot.expired
        record.gate = host.decider.gate(of: run)
        record.standing = host.runs.standing(of: run)
        return record
    }

    func progressDocument() -> JSONOutput {
        .object([
            "runs": .array(
                host.decider.activeRuns.compactMap { run in
                    host.runs.progress(of: run).map { .object(identity(of: run) + ProgressDocument.members($0)) }
                })
        ])
    }
}

import Control
import Engine
import Glibc
import JSON
import Scheduling
import Store
import TaskModel

// Documents about the host, its tasks and its past.
extension HostAPI {
    func hostDocument() -> JSONOutput {
        .object([
            "version": .string(Host.version),
            "pid": JSONOutput(getpid() as Int32?),
            "state": .string(host.state.path),
            "startedAt": .string(startedAt.iso8601),
            "profile": .string(host.configuration.profile.name),
            "tier": .string(host.tier),
            "running": JSONOutput(host.engine.occupied as Int?),
            "pending": JSONOutput(host.scheduler.pendingCount as Int?),
            "applications": JSONOutput(host.applications.count as Int?),
        ])
    }

    func tasksDocument() throws(Problem) -> JSONOutput {
        .object([
            "tasks": .array(
                try host.tasks.indices.filter { !host.tasks[$0].isRemoved }.map { index throws(Problem) in
                    let task = host.tasks[index]
                    let last = try Self.reading { () throws(StoreError) in
                        try host.store.lastRun(of: task.definition.identifier)
                    }
                    return TaskDocument.json(
                        task.definition, of: host.applications[task.application].definition,
                        standing: host.standing(of: UInt32(index)), last: last.map(live))
                })
        ])
    }

    func why(_ identifier: String) throws(Problem) -> JSONOutput {
        if let document = host.whyOrphanDocument(identifier) { return document }
        return host.whyDocument(identifier, try task(identifier))
    }

    func applicationsDocument() -> JSONOutput {
        .object(["applications": .array(host.applications.indices.map(applicationDocument))])
    }

    func applicationDocument(_ index: Int) -> JSONOutput {
        let memory = host.scheduler.memory(of: UInt32(index))
        let definition = host.applications[index].definition
        return .object([
            "identifier": .string(definition.identifier),
            "name": JSONOutput(definition.name),
            "state": .string(host.engine.state(of: UInt32(index)).name),
            "forceQuit": .bool(memory.isForceQuit),
            "refreshDenied": .bool(memory.isRefreshDenied),
            "quarantinedUntil": JSONOutput(memory.quarantinedUntil?.iso8601),
            "usage": .double(host.scheduler.usage(of: UInt32(index), at: host.moment).seconds),
            "workers": JSONOutput(host.workers.count { $0?.application == index } as Int?),
        ])
    }

    func runsDocument(identifier: String?, limit: Int) throws(Problem) -> JSONOutput {
        let runs = try Self.reading { () throws(StoreError) in
            try host.history.runs(identifier: identifier, limit: limit)
        }
        return .object(["runs": .array(runs.map { RunDocument.json(live($0)) })])
    }

    /// With what is known of a run that goes on and is recorded at its end only.
    private func live(_ record: RunRecord) -> RunRecord {
        guard record.outcome == nil, let slot = host.run(withID: record.id).flatMap({ host.engine.run($0) }) else {
            return record
        }
        var record = record
        record.startedAt = slot.started?.time
        record.expiredAt = slot.expired
        return record
    }

    func progressDocument() -> JSONOutput {
        .object([
            "runs": .array(
                host.engine.activeRuns.compactMap { run in
                    host.progress(of: run).map { .object(identity(of: run) + ProgressDocument.members($0)) }
                })
        ])
    }

    func journalDocument(limit: Int) throws(Problem) -> JSONOutput {
        let entries = try Self.reading { () throws(StoreError) in
            try host.history.journal(limit: limit)
        }
        return .object(["entries": .array(entries.map(JournalDocument.json))])
    }

    /// The run whose id begins like that.
    func record(_ text: String) throws(Problem) -> RunRecord {
        switch try Self.reading({ () throws(StoreError) in try host.history.run(matching: text) }) {
        case .found(let record): return live(record)
        case .missing, .malformed: throw .noSuchRun(text)
        case .ambiguous(let candidates):
            throw .conflict(
                "several runs begin like this; \(JSONWriter.quoted(text)); give more characters: "
                    + candidates.map(\.description).joined(separator: " "))
        }
    }

    func log(of text: String) throws(Problem) -> [UInt8] {
        let id = try record(text).id
        return try Self.reading { () throws(StoreError) in try host.history.output(of: id).bytes }
    }
}

import Engine
import Host
import JSON
import Manifests
import Scheduling
import Setting
package import TaskModel

// What a request waits for, for documents.
extension Requests {
    /// A task's standing; `JSONOutput.null` in `request` when nothing is pending.
    ///
    /// - Parameter identifier: one that matches the task's wildcard; nil: the task's own.
    package func standing(of task: TaskIndex, as identifier: String? = nil) -> TaskDocument.Standing {
        let installed = installed.tasks[task]
        let state = decider.state(of: installed.application)
        let memory = decider.memory(of: installed.application)
        guard
            let handle = identifier.map({ pending($0) }) ?? decider.pendingRequest(identity: installed.row)
                ?? pendingClaim(identifier ?? installed.definition.identifier)
        else {
            return TaskDocument.Standing(state: state, memory, request: .null, waiting: nil, next: nil)
        }
        let reports = explain(handle)
        return TaskDocument.Standing(
            state: state, memory, request: document(of: handle, reports), waiting: Scheduler.phrase(of: reports),
            next: next(in: reports, decider.request(handle)))
    }

    /// A pending request as the control API shows it.
    func document(of handle: RequestHandle) -> JSONOutput {
        document(of: handle, explain(handle))
    }

    private func document(of handle: RequestHandle, _ reports: [GateReport]) -> JSONOutput {
        guard let view = decider.request(handle) else { return .null }
        return RequestDocument.json(
            whole(view), waiting: Scheduler.phrase(of: reports), next: next(in: reports, view),
            gates: reports.filter(\.holds).map(\.gate))
    }

    /// Every gate of the request; that of its date shows the time that the user skipped.
    private func explain(_ handle: RequestHandle) -> [GateReport] {
        var reports = decider.explain(handle)
        if let view = decider.request(handle) { runs.files.explain(&reports, of: view.task) }
        guard let leftOut = decider.request(handle).flatMap({ extra(of: $0).leftOut }),
            let place = reports.firstIndex(where: { $0.gate == .earliestBeginDate })
        else { return reports }
        let words = "\(leftOut.iso8601) is left out"
        reports[place].found += "; \(words)"
        if reports[place].holds { reports[place].opens += " (\(words))" }
        return reports
    }

    /// The gates of the pending request of that identifier; none without one.
    func gates(of identifier: String) -> JSONOutput {
        .array((pending(identifier).map { explain($0) } ?? []).map(RequestDocument.gate))
    }

    /// When the task runs next at the earliest, as far as that is known, and the gates that hold it.
    ///
    /// - Returns: nil: nothing is pending.
    func outlook(of task: TaskIndex) -> (next: Timestamp?, gates: [Gate])? {
        guard let handle = decider.pendingRequest(identity: installed.tasks[task].row) else { return nil }
        let reports = decider.explain(handle)
        return (next(in: reports, decider.request(handle)), reports.filter(\.holds).map(\.gate))
    }

    /// Why a run of the task would be refused if it started now, whatever its gates say.
    func refusals(of task: TaskIndex) -> [String] {
        let installed = installed.tasks[task]
        guard !installed.definition.secrets.isEmpty else { return [] }
        return RunSecrets.faults(
            of: installed.definition.secrets,
            manifestFolder: self.installed.applications[installed.application].definition.manifestFolder
        ).map(\.sentence)
    }

    /// Why the task of that identifier does not run: every gate of its pending request.
    ///
    /// - Parameter unused: why its manifest, or the task alone, is not used.
    func whyDocument(_ identifier: String, _ task: TaskIndex, unused: String? = nil) -> JSONOutput {
        let own = pending(identifier)
        let handle = own ?? pendingClaim(identifier)
        let reports = handle.map(explain) ?? []
        var summary: String
        if handle == nil {
            let isRunning = running.contains { runs.identifier(of: $0.value) == identifier }
            let concrete = IdentifierSyntax.concrete(identifier)
            // A wildcard has no schedule.
            summary =
                isRunning
                ? "it is running"
                : idleEvent(task)
                    ?? fleetSchedule(of: task)
                    ?? installed.tasks[task].definition.after.map {
                        "nothing is pending; it runs after \($0) has succeeded"
                    }
                    ?? "nothing is pending; submit a request with taskhost submit \(concrete)"
                    + (concrete == identifier ? ", or give the task a schedule" : "")
        } else {
            summary = Scheduler.summary(of: reports)
        }
        if own == nil, let key = handle.flatMap(fleetKey) { summary += "; it is the fleet's request \(key)" }
        let refusals = refusals(of: task)
        if let first = refusals.first { summary += "; it would be refused: \(first)" }
        if let unused { summary += "; \(unused)" }
        return explanation(
            of: identifier, application: installed.applicationName(of: task),
            request: handle.map { document(of: $0, reports) }, reports, summary: summary,
            faults: refusals + [unused].compactMap(\.self),
            next: handle.flatMap { next(in: reports, decider.request($0)) })
    }

    /// Where the times of its schedule are; nil: here.
    private func fleetSchedule(of task: TaskIndex) -> String? {
        let definition = installed.tasks[task].definition
        guard definition.schedule?.scope == .fleet else { return nil }
        return !isInFleet
            ? "its schedule is one for the fleet, and this host is in none; write \"fleet\" into its configuration"
            : "its schedule is one for the fleet; see taskhost why \(definition.identifier) --fleet"
    }

    /// - Parameter request: its document; nil: nothing is pending.
    func explanation(
        of identifier: String, application: String, request: JSONOutput?, _ reports: [GateReport], summary: String,
        faults: [String] = [], next: Timestamp?
    ) -> JSONOutput {
        .object([
            "identifier": .string(identifier),
            "application": .string(application),
            "pending": .bool(request != nil),
            "request": request ?? .null,
            "gates": .array(reports.map(RequestDocument.gate)),
            "summary": .string(summary),
            "faults": .array(faults.map(JSONOutput.string)),
            "next": JSONOutput(next?.iso8601),
            "isServed": .bool(isServed),
        ])
    }

    /// When anything can change without an event: the latest date that a gate waits for; nil: none.
    private func next(in reports: [GateReport], _ view: RequestView?) -> Timestamp? {
        let dates = reports.filter(\.holds).compactMap(\.next)
        return dates.max() ?? view?.request.terms.earliestBeginDate.flatMap { $0 > decider.now.time ? $0 : nil }
    }

    // MARK: Without a manifest

    /// In the order of their submission.
    var orphanDocuments: [JSONOutput] { waitingOrphans.map(Self.document) }

    /// Why it waits; nil: there is no such request.
    func whyOrphanDocument(_ identifier: String, unused: String?) -> JSONOutput? {
        guard let orphan = orphan(identifier) else { return nil }
        let reports = [Self.missingManifest]
        return explanation(
            of: identifier, application: orphan.application, request: Self.document(orphan), reports,
            summary: Scheduler.summary(of: reports) + (unused.map { "; \($0)" } ?? ""),
            faults: [unused].compactMap(\.self), next: nil)
    }

    private static let missingManifest = GateReport(
        gate: .manifest, verdict: .closed, holds: true, found: "no manifest has the task", opens: "its manifest")

    private static func document(_ orphan: TaskRequest) -> JSONOutput {
        RequestDocument.json(orphan, waiting: Scheduler.phrase(of: [missingManifest]), next: nil, gates: [.manifest])
    }
}

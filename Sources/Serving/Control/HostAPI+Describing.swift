import Control
import Host
import JSON
import Manifests
import Record
import Scheduling
import Setting
import TaskModel

// What a task is.
extension HostAPI {
    /// Everything about a task: what its manifest says with the defaults filled in, and what the host knows of it now.
    ///
    /// - Parameter identifier: a task's, or one that matches a task's `….*`: its request and gates are shown then.
    func description(of identifier: String) throws(Problem) -> JSONOutput {
        let index = try task(identifier)
        guard !host.installed.tasks[index].isRemoved else { throw noSuchTask(identifier) }
        let definition = host.installed.tasks[index].definition
        let application = host.installed.applications[host.installed.tasks[index].application]
        var active = ActiveRuns(host)
        let last = try PastAPI.reading(host.history.lastRun(of: identifier)).map { live($0, &active) }
        let standing = host.requests.standing(of: index, as: identifier)
        let document = TaskDocument.json(
            definition, of: application.definition, standing: standing, last: last,
            lastTermination: lastTermination(of: application.definition.identifier))
        guard case .object(let members) = document else { return document }
        let path = application.definition.manifestPath
        let files = manifestEntries().filter { $0.path == path }
        let faults = files.flatMap(\.sentences) + host.requests.refusals(of: index)
        let more = TaskDescription.members(
            definition, of: application, profile: host.place.configuration.profile.name)
        return .object(
            members + more + [
                .init("gates", host.requests.gates(of: identifier)),
                .init("faults", .array(faults.map(JSONOutput.string))),
                .init("usesEarlierForm", .bool(files.contains { !$0.isUsed })),
            ])
    }

    /// The manifests that were found, with their faults.
    func listManifests() -> LongListing {
        var entries = manifestEntries()[...]
        let diagnostics: JSONOutput = .array(unreadableManifests().map(JSONOutput.string))
        return LongListing("manifests", last: { [.init("diagnostics", diagnostics)] }) {
            entries.popFirst().map { entry in
                [
                    "path": .string(entry.path), "application": JSONOutput(entry.result?.application?.identifier),
                    "isUsed": .bool(entry.isUsed), "faults": .array(entry.sentences.map(JSONOutput.string)),
                    "unusedTasks": .array(
                        entry.leftOut.sorted { $0.key < $1.key }.map {
                            ["identifier": .string($0.key), "fault": .string($0.value)]
                        }),
                ]
            }
        }
    }

    /// What delayed the requests of an identifier since then: those of its runs, from the record, and the pending one.
    func listWaits(_ exchange: Exchange) throws(Problem) {
        let identifier = exchange["id"]
        _ = try task(identifier)
        let now = host.moment
        let since = exchange.query.timestamp("since") ?? now.time - .seconds(86_400)
        let pending = host.requests.pending(identifier).map { host.decider.waits(of: $0) } ?? []
        try past.waits(of: identifier, since: since, exchange) { past in
            let ended = past.map { (wait: $0, lasts: false) }
            let present = pending.map { (wait: $0, lasts: $0.to >= now.time) }
            return [
                "identifier": .string(identifier),
                "waits": .array(
                    (ended + present).filter { $0.wait.to > since }.map { wait, lasts in
                        [
                            "gate": .string(wait.gate.name), "from": .string(wait.from.iso8601),
                            "to": lasts ? .null : .string(wait.to.iso8601),
                        ]
                    }),
            ]
        }
    }
}

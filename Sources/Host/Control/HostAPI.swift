import Control
import Engine
import JSON
import Linux
import Manifests
import Scheduling
import Store
import TaskModel

/// Answers the control API: the same for requests from the socket and for a verb in the host's own process.
/// Thread: the loop's.
final class HostAPI {
    unowned let host: Host
    let hub = EventHub()
    let startedAt: Timestamp
    /// Reads the manifests anew; nil while nobody can. Returns how many applications are installed, and what was said.
    var reload: (() throws(HostError) -> ReloadReport)?
    /// Requests to simulate a launch that wait for their application to be launched once.
    var simulations: [Simulation] = []

    struct ReloadReport {
        var applications: Int
        var sentences: [String]
    }

    init(host: Host) {
        self.host = host
        startedAt = host.moment.time
    }

    /// The task that permits the identifier.
    func task(_ identifier: String) throws(Problem) -> UInt32 {
        if let task = host.permittedTask(identifier) ?? host.task(named: identifier) { return task }
        let near = Nearest.match(for: identifier, among: host.tasks.map(\.definition.identifier))
        throw Problem(
            404, "no-such-task", title: "No such task",
            detail: "no manifest has this task; \(JSONWriter.quoted(identifier)); "
                + (near.map { "did you mean \($0)?" } ?? "see taskhost list for those there are"))
    }

    func application(_ identifier: String) throws(Problem) -> Int {
        if let index = host.application(named: identifier) { return index }
        // A task's identifier stands for its application where there is no doubt.
        if let task = host.task(named: identifier) { return host.tasks[Int(task)].application }
        let near = Nearest.match(for: identifier, among: host.applications.map(\.definition.identifier))
        throw Problem(
            404, "no-such-application", title: "No such application",
            detail: "no manifest describes this application; \(JSONWriter.quoted(identifier)); "
                + (near.map { "did you mean \($0)?" } ?? "see taskhost list for those there are"))
    }

    /// What cannot be read from the record is our fault, or the disk's.
    static func reading<R>(_ body: () throws(StoreError) -> R) throws(Problem) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            throw Problem(500, "record", title: "The record cannot be read", detail: "\(error)")
        }
    }
}

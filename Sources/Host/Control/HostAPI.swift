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
    let router = Router(version: Host.version)
    let startedAt: Timestamp
    /// Reads the manifests anew. Returns how many applications are installed, and what was said.
    var reload: () throws(HostError) -> ReloadReport = { ReloadReport(applications: 0, sentences: []) }
    /// Requests to simulate a launch that wait for their application to be launched once.
    var simulations: [Simulation] = []

    struct ReloadReport {
        var applications: Int
        var sentences: [String]
    }

    init(host: Host) {
        self.host = host
        startedAt = host.moment.time
        hub.didSubmit = { [unowned self] in settleSimulations(of: $0) }
        addRoutes()
    }

    /// The task that permits the identifier.
    func task(_ identifier: String) throws(Problem) -> UInt32 {
        if let task = host.permittedTask(identifier) ?? host.task(named: identifier) { return task }
        throw noSuchTask(identifier)
    }

    func noSuchTask(_ identifier: String) -> Problem {
        let known = host.tasks.filter { !$0.isRemoved }.map(\.definition.identifier)
        return .noSuchTask(identifier, near: Nearest.match(for: identifier, among: known))
    }

    func application(_ identifier: String) throws(Problem) -> Int {
        if let index = host.application(named: identifier) { return index }
        // A task's identifier stands for its application where there is no doubt.
        if let task = host.task(named: identifier) { return host.tasks[Int(task)].application }
        throw .noSuchApplication(
            identifier, near: Nearest.match(for: identifier, among: host.applications.map(\.definition.identifier)))
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

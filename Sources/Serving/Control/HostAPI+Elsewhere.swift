import Control
import Host
import JSON
import TaskModel

// What a host of the same user did beside this one.
extension HostAPI {
    /// Remembers a run that has ended elsewhere; one that is remembered stays as it is.
    func record(_ document: JSONValue?) throws(Problem) -> JSONOutput {
        guard let run = document.flatMap(RunDocument.read) else {
            throw .meaningless("$.run", found: "no run", expected: "the document of GET /v1/runs/{id}")
        }
        if let known = host.record(of: run.id) { return RunDocument.json(known) }
        // Its runs are this host's to tell: health and budgets come from them.
        guard host.installed.application(named: run.application) == nil else {
            throw .conflict(
                "a manifest of this host has the application; \(run.application); run its task here: taskhost run "
                    + run.identifier)
        }
        guard try PastAPI.reading(host.runs.keep(run)) else {
            throw .meaningless("$.run", found: "a run in progress", expected: "one with an outcome and an end")
        }
        return RunDocument.json(run)
    }
}

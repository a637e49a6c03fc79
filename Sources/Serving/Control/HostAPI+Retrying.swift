import Control
import Host
import JSON
import Record
import Setting
import TaskModel

// The same work again.
extension HostAPI {
    /// A new request of the user with the payload and the settings of a run.
    func retry(_ text: String) throws(Problem) -> JSONOutput {
        let run = try past.run(text)
        guard run.outcome != nil else {
            throw .conflict(
                "the run goes on; \(run.id); wait for its end, or end it first with taskhost cancel \(run.id)")
        }
        guard let task = host.installed.permittedTask(run.identifier), !host.installed.tasks[task].isRemoved else {
            throw .conflict(
                "no manifest has its task any more; \(run.identifier); add the task to a manifest, then try again")
        }
        guard run.kind != nil else {
            throw .conflict(
                "its payload is not kept: a host of an earlier version ran it; \(run.id); submit the task itself: "
                    + "taskhost submit \(run.identifier)")
        }
        let inputs = try PastAPI.reading(host.history.inputs(of: run.id))
        var request = TaskRequest(
            identifier: run.identifier, kind: host.installed.tasks[task].definition.kind)
        request.terms.origin = .person
        request.payload = inputs.payload
        request.settings = inputs.settings
        return try submit(request)
    }
}

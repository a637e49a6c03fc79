import Control
import Engine
import Host
import JSON
import Scheduling
import Setting
import TaskModel

// Callbacks of applications, and what delays them.
extension HostAPI {
    /// Delivers a remote notification as soon as the application's rate lets it through.
    func notify(_ identifier: String, _ payload: [UInt8]) throws(Problem) -> JSONOutput {
        guard payload.count <= Route.notificationBytes else {
            throw .meaningless(
                "$.payload", found: "a payload of \(payload.count) bytes",
                expected:
                    "at most \(Route.notificationBytes) bytes as one line of text; put more where the application can "
                    + "fetch it, and say where")
        }
        let application = try application(identifier)
        let installed = host.installed.applications[application]
        let name = installed.definition.identifier
        guard installed.library?.isApplication == true else {
            throw .submission(
                SubmissionFault(
                    .notPermitted,
                    "its library is not an application, and has no callback for notifications; \(name); export "
                        + "taskhost_application_v1, or run its tasks with taskhost run"))
        }
        guard installed.definition.backgroundModes?.contains("remote-notification") == true else {
            throw .submission(
                SubmissionFault(
                    .notPermitted,
                    "its manifest does not have the mode for remote notifications; \(name); add \"remote-notification\" to "
                        + "\"backgroundModes\""))
        }
        var request = TaskRequest(
            identifier: EventTasks.identifier(.remoteNotification, of: name), kind: .remoteNotification)
        request.terms.origin = .person
        request.payload = payload
        return try submit(request)
    }

    /// Why no work of an application runs: its state, the user's settings, its events and its tasks.
    func whyApplication(_ identifier: String) throws(Problem) -> JSONOutput {
        let application = try application(identifier)
        let tasks = host.installed.tasks(of: application).filter { !host.installed.tasks[$0].isRemoved }
        return .object([
            "application": applicationDocument(application),
            "summary": .string(summary(of: application)),
            "fetch": .string(host.requests.fetchSummary(of: application)),
            "push": .string(host.requests.pushSummary(of: application)),
            "transfers": .string(host.transfers.summary(of: application)),
            "tasks": .array(
                tasks.map { host.requests.whyDocument(host.installed.tasks[$0].definition.identifier, $0) }),
            "isServed": .bool(host.requests.isServed),
        ])
    }

    private func summary(of application: ApplicationIndex) -> String {
        let memory = host.decider.memory(of: application)
        let name = host.installed.name(of: application)
        var words = ["\(name) is \(host.decider.state(of: application).name)"]
        if memory.isForceQuit {
            words.append(
                "the user quit it, and none of its work runs in the background until it is opened (taskhost foreground \(name))"
            )
        }
        if memory.isRefreshDenied {
            words.append("its background refresh is turned off (taskhost app refresh on \(name))")
        }
        if let end = memory.quarantinedUntil {
            words.append("it is in quarantine until \(end.iso8601) after crashes (taskhost app unquarantine \(name))")
        }
        return words.joined(separator: "; ")
    }
}

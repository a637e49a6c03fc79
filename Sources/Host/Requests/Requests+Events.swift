import Scheduling
import Setting
package import TaskModel

// What applications are called for by the host itself, in words.
extension Requests {
    /// Why nothing is pending for an application's event; nil for a task of another kind.
    package func idleEvent(_ task: TaskIndex) -> String? {
        let kind = installed.tasks[task].definition.kind
        guard kind.isEvent else { return nil }
        let application = installed.tasks[task].application
        let name = installed.applicationName(of: task)
        if decider.memory(of: application).isForceQuit {
            return
                "nothing is pending: the user quit the application, which drops its fetches and notifications; open it "
                + "with taskhost foreground \(name)"
        }
        guard kind == .backgroundFetch else {
            let next = decider.nextNotification(of: application)
            return "nothing is pending; send something with taskhost notify \(name)"
                + (next.map { ", which is delivered from \($0.iso8601) on" } ?? "")
        }
        return
            "nothing is pending: the application requests no fetches; it does so with setMinimumBackgroundFetchInterval "
            + "(set_minimum_fetch_interval in C)"
    }

    /// Whether and when the application is called for background fetch.
    package func fetchSummary(of application: ApplicationIndex) -> String {
        let definition = installed.applications[application].definition
        guard let task = eventTask(.backgroundFetch, of: application) else {
            if installed.applications[application].library?.isApplication != true {
                return "its library is not an application"
            }
            let other = definition.tasks.first { $0.kind == .appRefresh }
            return other.map { "its task \($0.identifier) of the kind appRefresh takes its place" }
                ?? "its manifest does not have the mode \"fetch\""
        }
        let memory = decider.memory(of: application)
        let asked = decider.fetchInterval(of: application).map { "asked for every \($0)" } ?? "not asked for"
        let times = memory.unansweredFetches
        let unanswered = times == 0 ? "" : "; \(times) in a row not answered"
        guard let pending = decider.pendingRequest(identity: installed.tasks[task].row) else {
            return asked + unanswered
        }
        return asked + unanswered + "; " + Scheduler.summary(of: decider.explain(pending))
    }

    /// Whether and when the application is called for remote notifications.
    package func pushSummary(of application: ApplicationIndex) -> String {
        guard let task = eventTask(.remoteNotification, of: application) else {
            return installed.applications[application].library?.isApplication == true
                ? "its manifest does not have the mode \"remote-notification\"" : "its library is not an application"
        }
        let memory = decider.memory(of: application)
        guard !memory.isForceQuit else { return "none is taken until the user opens the application" }
        let next = decider.nextNotification(of: application)
        let rate = next.map { "the next one is delivered from \($0.iso8601) on" } ?? "the next one is delivered at once"
        guard let pending = decider.pendingRequest(identity: installed.tasks[task].row) else {
            return memory.isRefreshDenied ? "one would wait for background refresh" : rate
        }
        return "one is pending; " + Scheduler.summary(of: decider.explain(pending))
    }

    /// The application's task of that kind, if its manifest has one.
    func eventTask(_ kind: TaskKind, of application: ApplicationIndex) -> TaskIndex? {
        installed.tasks(of: application).first {
            installed.tasks[$0].definition.kind == kind && !installed.tasks[$0].isRemoved
        }
    }
}

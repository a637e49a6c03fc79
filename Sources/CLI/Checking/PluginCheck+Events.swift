import Linux
import Serving
import Setting
import TaskModel

// An application as it is opened, left, and called for its events.
extension PluginCheck {
    // MARK: Opened and left

    mutating func lifecycle() throws(CheckFault) {
        let probe = "returns from didEnterBackground"
        guard whole.library?.isApplication == true, !hasFailedToLaunch else { return }
        guard whole.definition.isolation != .run else {
            return report.add(nil, probe, .skip, "each run has a process of its own")
        }
        terminal.status(probe)
        let bench = try CheckBench(whole, state: state, suspendsAtOnce: true) { $0 }
        let leaving = try bench.leave()
        switch leaving {
        case .neverInFront: report.add(nil, "launch", false, "it was not in the foreground in time")
        case .suspended(let took): report.add(nil, probe, true, "suspended \(took) after it was left")
        case .busy(let span): report.add(nil, probe, true, "and continues in the background, after \(span) still")
        case .terminated(let end):
            let took = end.took.map { ", killed after \($0)" } ?? ""
            report.add(nil, probe, false, "\(end.reason.name)\(end.reason.codeText.map { " (\($0))" } ?? "")\(took)")
        }
        if case .suspended = leaving { try sessions(bench) }
        if let lack = try bench.lackOfFetch() {
            report.add(nil, "is called for the fetches that it asks for", .skip, lack)
        }
        _ = try bench.close()
    }

    private mutating func sessions(_ bench: CheckBench) throws(CheckFault) {
        let probe = "handles the events of its background sessions"
        terminal.status(probe)
        switch try bench.handleSessionEvents() {
        case .noSession: break
        case .handled(let count, let took): report.add(nil, probe, true, "\(count) in \(took)")
        case .unanswered: report.add(nil, probe, false, "a completion handler was never called")
        case .terminated(let end):
            let code = end.reason.codeText.map { " (\($0))" } ?? ""
            let took = end.took.map { ", killed after \($0)" } ?? ""
            let seen = end.reason == .sessionEventsTimeout ? ": a completion handler was never called" : ""
            report.add(nil, probe, false, "\(end.reason.name)\(code)\(took)\(seen)")
        }
    }

    private var hasFailedToLaunch: Bool { report.results.contains { $0.probe == "launch" && $0.verdict == .fail } }

    // MARK: Called

    mutating func events() throws(CheckFault) {
        guard whole.tasks.contains(where: { $0.handler == .event }), !hasFailedToLaunch else { return }
        let bench = try CheckBench(whole, state: state) { $0 }
        for (index, task) in whole.tasks.enumerated() where task.handler == .event {
            let isFetch = task.kind == .backgroundFetch
            let probe = isFetch ? "answers a fetch" : "answers a notification"
            show(task, probe)
            let payload = isFetch ? [] : Array(#"{"aps":{"content-available":1}}"#.utf8)
            guard let visit = try bench.run(index, payload: payload).first else { continue }
            add(visit, to: task, probe, bench)
        }
        _ = try bench.close()
    }

    private mutating func add(
        _ visit: CheckBench.Visit, to task: TaskDefinition, _ probe: String, _ bench: CheckBench
    ) {
        let words = Judgement(visit.record).words
        switch visit.record.outcome {
        case .succeeded, .failed: report.add(task.identifier, probe, true, words)
        // It is optional.
        case .refused: report.add(task.identifier, probe, .skip, Judgement.notes(visit.record))
        case .overran, .unreported:
            let seen = visit.record.figures.wallTime.map { " in \($0)" } ?? ""
            report.add(
                task.identifier, probe, false,
                "\(visit.record.outcome?.name ?? "")\(seen): its completion handler was never called",
                printed: bench.lastLines(visit))
        default: report.add(task.identifier, probe, false, words, printed: bench.lastLines(visit))
        }
    }
}

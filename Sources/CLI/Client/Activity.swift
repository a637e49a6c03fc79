import Control
import JSON
import Linux
import TaskModel

/// The activity of a host: queried once, then updated by its events.
struct Activity {
    private(set) var host = JSONValue(.null, at: .start)
    private(set) var runs: [JSONValue] = []
    private(set) var requests: [JSONValue] = []
    /// By the run's id.
    private var progress: [String: JSONValue] = [:]
    /// What it uses, by the run's id. Only events tell.
    private var usage: [String: JSONValue] = [:]
    /// What a launch that was not possible waits for, likewise.
    private var waitsFor: [String: String] = [:]
    /// Something has changed whose text only the host knows.
    var isStale = true

    mutating func refresh(from client: any HostClient) throws(Failure) {
        host = try client.document(.host)
        runs = try client.document(.listActive)["runs"]?.array ?? []
        requests = try client.document(.listRequests)["requests"]?.array ?? []
        progress = [:]
        for told in try client.document(.listProgress)["runs"]?.array ?? [] {
            if let run = told["run"]?.string { progress[run] = told }
        }
        isStale = false
    }

    mutating func take(_ event: HostEvent) {
        let run = event.data["run"]?.string ?? ""
        switch event.name {
        case "run.output": break
        case "run.progress": progress[run] = event.data
        case "run.usage": usage[run] = event.data
        case "run.waiting": waitsFor[run] = event.data["waitsFor"]?.string
        case "run.ended":
            usage[run] = nil
            waitsFor[run] = nil
            isStale = true
        default: isStale = true
        }
    }

    var document: JSONOutput {
        .object([
            "host": JSONOutput(host), "runs": .array(runs.map { JSONOutput($0) }),
            "requests": .array(requests.map { JSONOutput($0) }),
            "progress": .array(
                runs.compactMap { run in run["run"]?.string.flatMap { progress[$0] }.map { JSONOutput($0) } }),
        ])
    }

    /// The counts, in one line.
    var heading: String {
        let held = runs.count { $0["state"]?.string == RunState.waiting.name }
        return "taskhost \(ListCell.text(host["version"]))  \(runs.count - held) running  "
            + "\(requests.count + held) waiting  " + ListCell.text(host["state"])
    }

    /// For display, at a time, in so many columns.
    func lines(at now: Timestamp, width: Int?, _ times: ShownTimes) -> [String] {
        [heading, ""] + runLines(at: now, width) + requestLines(at: now, width, times)
            + (transfers.map { ["", $0] } ?? [])
    }

    /// Transfers are running, so their rate changes all the time.
    var hasTransfers: Bool { host["transfers"]?["running"]?.integer ?? 0 > 0 }

    /// A line about them; nil: there are none.
    var transfers: String? {
        let count = (host["transfers"]?["running"]?.integer ?? 0, host["transfers"]?["waiting"]?.integer ?? 0)
        guard count.0 + count.1 > 0 else { return nil }
        let rate = ByteCount(bytes: UInt64(max(0, host["transfers"]?["rate"]?.integer ?? 0)))
        return "transfers: \(count.0) under way, \(rate)/s; \(count.1) waiting; see taskhost transfers"
    }

    /// Runs and requests as one list.
    func rows(at now: Timestamp, _ times: ShownTimes) -> [TopRows.Row] {
        runs.map { run in
            TopRows.Row(
                task: ListCell.text(run["identifier"]), run: run["run"]?.string, state: state(of: run),
                time: Self.age(run["startedAt"], now), left: left(of: run, now), detail: bar(of: run))
        }
            + requests.map { request in
                TopRows.Row(
                    task: ListCell.text(request["identifier"]), state: "waiting",
                    time: Self.age(request["submittedAt"], now), next: request.time("next"),
                    detail: times.words(ListCell.text(request["waiting"])))
            }
    }

    private static func age(_ start: JSONValue?, _ now: Timestamp) -> TimeSpan? {
        start?.string.flatMap { Timestamp(iso8601: $0) }.map { max(.zero, now - $0) }
    }

    private func left(of run: JSONValue, _ now: Timestamp) -> BudgetLeft {
        BudgetLeft(run, usage: run["run"]?.string.flatMap { usage[$0] }, at: now)
    }

    /// With what it waits for before its start.
    private func state(of run: JSONValue) -> String {
        let state = ListCell.text(run["state"])
        guard state == RunState.waiting.name else { return state }
        return "\(state): " + (waitsFor[run["run"]?.string ?? ""] ?? run["gate"]?.string ?? "its launch")
    }

    private func bar(of run: JSONValue) -> String {
        run["run"]?.string.flatMap { progress[$0] }.map { ProgressBar.counted($0) } ?? ""
    }

    private func runLines(at now: Timestamp, _ width: Int?) -> [String] {
        guard !runs.isEmpty else { return ["nothing runs", ""] }
        var table = TextTable(
            ["RUNNING", "STATE", "TIME", "TIME LEFT", "PROGRESS"], right: ["TIME", "TIME LEFT"],
            whole: ["RUNNING"])
        for run in runs {
            let time = Self.age(run["startedAt"], now)
            table.add([
                ListCell.text(run["identifier"]), state(of: run),
                time.map { "\(TimeSpan.seconds($0.nanoseconds / 1_000_000_000))" } ?? "-", left(of: run, now).time,
                bar(of: run),
            ])
        }
        return table.lines(width: width) + [""]
    }

    private func requestLines(at now: Timestamp, _ width: Int?, _ times: ShownTimes) -> [String] {
        guard !requests.isEmpty else { return ["nothing waits"] }
        var table = TextTable(["WAITING", "KIND", "FOR", "NEXT"], whole: ["WAITING"])
        for request in requests {
            table.add([
                ListCell.text(request["identifier"]), ListCell.text(request["kind"]),
                times.words(ListCell.text(request["waiting"])), times.nearCell(request["next"], now: now),
            ])
        }
        return table.lines(width: width)
    }
}

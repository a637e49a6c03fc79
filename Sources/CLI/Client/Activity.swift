import Control
import JSON
import Linux
import TaskModel

/// The activity of a host: queried once, then updated by its events.
struct Activity {
    /// How many rows of the record are searched for runs in progress.
    private static let recent = 500

    private(set) var host = JSONValue(.null, at: .start)
    private(set) var runs: [JSONValue] = []
    private(set) var requests: [JSONValue] = []
    /// By the run's id.
    private var progress: [String: JSONValue] = [:]
    /// Something has changed whose text only the host knows.
    var isStale = true

    mutating func refresh(from client: any HostClient) throws(Failure) {
        host = try client.document(.host)
        let recent = try client.document(.listRuns, query: [("limit", "\(Self.recent)")])["runs"]?.array ?? []
        runs = recent.filter { if case .null = $0["outcome"]?.content { true } else { false } }
        requests = try client.document(.listRequests)["requests"]?.array ?? []
        progress = [:]
        for told in try client.document(.listProgress)["runs"]?.array ?? [] {
            if let run = told["run"]?.string { progress[run] = told }
        }
        isStale = false
    }

    mutating func take(_ event: HostEvent) {
        guard event.name == "run.progress" else {
            if event.name != "run.output" { isStale = true }
            return
        }
        guard let run = event.data["run"]?.string else { return }
        progress[run] = event.data
    }

    var document: JSONOutput {
        .object([
            "host": JSONOutput(host), "runs": .array(runs.map { JSONOutput($0) }),
            "requests": .array(requests.map { JSONOutput($0) }),
            "progress": .array(
                runs.compactMap { run in run["run"]?.string.flatMap { progress[$0] }.map { JSONOutput($0) } }),
        ])
    }

    /// For display, at a time.
    func lines(at now: Timestamp) -> [String] {
        let held = runs.count { $0["gate"]?.string != nil }
        let heading =
            "taskhost \(ListCell.text(host["version"]))  \(runs.count - held) running  \(requests.count + held) waiting  "
            + ListCell.text(host["state"])
        return [heading, ""] + runLines(at: now) + requestLines + transferLines
    }

    /// Transfers are running, so their rate changes all the time.
    var hasTransfers: Bool { host["transfers"]?["running"]?.integer ?? 0 > 0 }

    private var transferLines: [String] {
        let count = (host["transfers"]?["running"]?.integer ?? 0, host["transfers"]?["waiting"]?.integer ?? 0)
        guard count.0 + count.1 > 0 else { return [] }
        let rate = ByteCount(bytes: UInt64(max(0, host["transfers"]?["rate"]?.integer ?? 0)))
        return ["", "transfers: \(count.0) under way, \(rate)/s; \(count.1) waiting; see taskhost transfers"]
    }

    private func runLines(at now: Timestamp) -> [String] {
        guard !runs.isEmpty else { return ["nothing runs", ""] }
        var table = Table([("RUNNING", false), ("STATE", false), ("TIME", true), ("PROGRESS", false)])
        for run in runs {
            let started = run["startedAt"]?.string.flatMap { Timestamp(iso8601: $0) }
            let gate = run["gate"]?.string.map { "waiting: \($0)" }
            let state =
                gate
                ?? (started == nil ? "launching" : run["expiredAt"]?.string == nil ? "running" : "expiring")
            let time = started.map { max(.zero, now - $0) }
            let bar = run["run"]?.string.flatMap { progress[$0] }.map { ProgressBar.text("", $0) }
            table.add([
                ListCell.text(run["identifier"]), state,
                time.map { "\(TimeSpan.seconds($0.nanoseconds / 1_000_000_000))" } ?? "-",
                bar ?? "",
            ])
        }
        return table.text().split(separator: "\n").map(String.init) + [""]
    }

    private var requestLines: [String] {
        guard !requests.isEmpty else { return ["nothing waits"] }
        var table = Table([("WAITING", false), ("KIND", false), ("FOR", false), ("NEXT", false)])
        for request in requests {
            table.add(["identifier", "kind", "waiting", "next"].map { ListCell.text(request[$0]) })
        }
        return table.text().split(separator: "\n").map(String.init)
    }
}

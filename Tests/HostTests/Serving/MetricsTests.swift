import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A daemon's metrics")
struct MetricsTests {
    private static let openMetrics = "application/openmetrics-text; version=1.0.0,text/plain;version=0.0.4;q=0.5"

    private func read(_ station: Station, accept: String? = nil) throws -> Exposition {
        var words = ["-sS", "--fail", "-i", "--unix-socket", station.state + "/control.sock"]
        if let accept { words += ["-H", "Accept: \(accept)"] }
        let command = try Command.run("curl", words + ["http://localhost/metrics"])
        guard command.succeeded else { throw Problem("\(command)") }
        let parts = command.output.replacing("\r\n", with: "\n").split(separator: "\n\n", maxSplits: 1)
        let isOpenMetrics = accept == Self.openMetrics
        let type =
            isOpenMetrics
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8"
        guard parts.count == 2, parts[0].contains("Content-Type: \(type)") else { throw Problem("\(parts)") }
        return try Exposition(String(parts[1]), isOpenMetrics: isOpenMetrics)
    }

    private func run(_ station: Station, _ words: String...) throws {
        _ = try station.start(["run"] + words, manifests: false).finish()
    }

    @Test("count runs, also of the host before, and say when each task ran and how")
    func runs() throws {
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let bad = try station.add(fixture: "hostile.never-complete").tasks[0]
        let crash = try station.add(fixture: "hostile.crash-null").tasks[0]
        let first = try Daemon(station)
        let before = try read(station)
        #expect(before.value("taskhost_task_last_success_timestamp_seconds", ["task": noop]) == 0)
        #expect(before["taskhost_runs_total"].isEmpty && before["taskhost_task_last_outcome"].isEmpty)
        for _ in 0..<3 { try run(station, noop) }
        for _ in 0..<2 { try run(station, bad) }
        try first.tell("device", "set", "power=battery")
        func expectRuns(_ metrics: Exposition, succeeded: Double, unreported: Double) throws {
            let name = metrics.isOpenMetrics ? "taskhost_runs" : "taskhost_runs_total"
            #expect(metrics.value("taskhost_runs_total", ["task": noop, "outcome": "succeeded"]) == succeeded)
            #expect(metrics.value("taskhost_runs_total", ["task": bad, "outcome": "unreported"]) == unreported)
            #expect(metrics[name].allSatisfy { $0.labels["origin"] == "forced" }, "\(metrics[name])")
            #expect(metrics.value("taskhost_task_consecutive_failures", ["task": bad]) == unreported)
            #expect(metrics.value("taskhost_task_consecutive_failures", ["task": noop]) == 0)
            #expect(metrics.value("taskhost_task_last_outcome", ["task": bad, "outcome": "unreported"]) == 1)
            let last = try #require(metrics.value("taskhost_task_last_success_timestamp_seconds", ["task": noop]))
            #expect(abs(Date().timeIntervalSince1970 - last) < 60)
            #expect(metrics.value("taskhost_task_last_success_timestamp_seconds", ["task": bad]) == 0)
        }
        for accept in [nil, Self.openMetrics] {
            let metrics = try read(station, accept: accept)
            try expectRuns(metrics, succeeded: 3, unreported: 2)
            #expect(
                metrics.value("taskhost_run_duration_seconds_count", ["outcome": "succeeded"]) == 3,
                "\(metrics["taskhost_run_duration_seconds"])")
            #expect(metrics.value("taskhost_device_condition", ["condition": "power", "value": "battery"]) == 1)
            #expect(metrics.value("taskhost_build_info", ["profile": "modern"]) == 1)
            #expect(metrics["taskhost_manifest_valid"].map(\.value) == [1, 1, 1])
            #expect(metrics.value("taskhost_run_budget_used_ratio", ["task": noop, "resource": "wall"]) ?? 2 < 1)
            #expect(metrics.value("process_open_fds") ?? 0 > 5 && metrics.value("taskhost_store_size_bytes") ?? 0 > 0)
            #expect(metrics.value("taskhost_store_commit_duration_seconds_count") ?? 0 >= 5)
            let examples = metrics["taskhost_run_duration_seconds"].compactMap { $0.example?["run"] }
            let runs = try station.history().map(\.run)
            #expect(accept == nil ? examples.isEmpty : !examples.isEmpty && examples.allSatisfy(runs.contains))
        }
        #expect(try first.stop().status == 0)

        let second = try Daemon(station)
        for _ in 0..<2 { try expectRuns(try read(station), succeeded: 3, unreported: 2) }
        try run(station, noop)
        try run(station, bad)
        try expectRuns(try read(station), succeeded: 4, unreported: 3)
        for _ in 0..<3 { try run(station, crash) }
        let metrics = try read(station)
        #expect(metrics.value("taskhost_application_quarantined", ["application": crash]) == 1)
        #expect(metrics["taskhost_application_quarantined"].map(\.value).sorted() == [0, 0, 1])
        #expect(try second.stop().status == 0)
    }

    @Test("say when tasks run next, what holds them, and which manifest is broken")
    func standing() throws {
        let station = try Station()
        var scheduled = try ManifestText(stage: "org.taskhost.daily", ["pass": "stage_pass"])
        scheduled.setTask("org.taskhost.daily.pass", "schedule", ["every": "1d"])
        try station.add(scheduled)
        try station.folder.write("manifests/broken.json", "{")
        let daemon = try Daemon(station)
        let metrics = try read(station)
        let task = "org.taskhost.daily.pass"
        let now = Date().timeIntervalSince1970
        let next = try #require(metrics.value("taskhost_task_next_run_timestamp_seconds", ["task": task]))
        #expect(next > now && next < now + 86_400, "\(next)")
        #expect(metrics.value("taskhost_gate_closed", ["task": task, "gate": "earliestBeginDate"]) == 1)
        let deadline = try #require(
            metrics.value("taskhost_task_success_deadline_timestamp_seconds", ["task": task]))
        #expect(deadline > now + 86_400 && deadline <= now + 2 * 86_400, "\(deadline)")
        #expect(
            metrics["taskhost_manifest_valid"].first { $0.labels["manifest"]?.hasSuffix("broken.json") == true }?.value
                == 0)
        #expect(metrics["taskhost_requests_pending"].map(\.value).reduce(0, +) == 1)
        #expect(try daemon.stop().status == 0)
    }

    @Test("count many tasks under one label beyond a thousand, and keep turns short")
    func many() throws {
        let station = try Station()
        for number in 0..<30 {
            var manifest = try ManifestText(fixture: "fixtures.noop")
            manifest["identifier"] = "org.taskhost.many\(number)"
            var tasks: [String: Any] = [:]
            for task in 0..<50 {
                tasks["org.taskhost.many\(number).t\(task)"] = ["kind": "appRefresh", "handler": "noop"]
            }
            manifest["tasks"] = tasks
            try station.add(manifest)
        }
        let daemon = try Daemon(station)
        let metrics = try read(station)
        #expect(metrics["taskhost_task_last_run_timestamp_seconds"].count == 1000)
        #expect(metrics["taskhost_runs_total"].isEmpty)
        for number in [0, 29] { try run(station, "org.taskhost.many\(number).t49") }
        let counted = try read(station)["taskhost_runs_total"]
        #expect(counted.count == 2 && counted.contains { $0.labels["task"] == "other" && $0.value == 1 }, "\(counted)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("are no reason to wait for a reader that does not read them")
    func hangingReader() throws {
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let daemon = try Daemon(station)
        let script = """
            import socket, sys, time
            hung = []
            for _ in range(100):
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
                s.sendall(b"GET /metrics HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" * 50)
                hung.append(s)
            print("hung", flush=True)
            time.sleep(600)
            """
        let reader = try Program("python3", ["-c", script, station.state + "/control.sock"])
        try reader.wait(forText: "hung")
        for _ in 0..<5 { try run(station, noop) }
        #expect(try read(station).value("taskhost_runs_total", ["task": noop]) == 5)
        #expect(try station.history().map(\.outcome) == Array(repeating: "succeeded", count: 5))
        try reader.signal(SIGKILL)
        #expect(try daemon.stop().status == 0)
    }
}

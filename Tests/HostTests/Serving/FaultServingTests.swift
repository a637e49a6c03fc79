import Foundation
import TestSupport
import Testing

/// `taskhost serve --faults`: each fault that a user can let happen, and what the record says of it.
@Suite("Faults on purpose")
struct FaultServingTests {
    private static let program = "com.example.program.write"

    private func serve(_ steps: [String: [String]] = [:], _ names: [String] = ["p1"]) throws -> Daemon {
        let application = try Conformance(names, steps: steps)
        try application.station.add(application.manifest)
        try application.station.add(
            ManifestText(members: [
                "identifier": "com.example.program",
                "tasks": [
                    Self.program: [
                        "kind": "processing",
                        "handler": ["command": ["/bin/sh", "-c", "echo kept >$TASKHOST_STATE/file && echo written"]],
                    ] as [String: Any]
                ],
            ]))
        return try Daemon(application.station, options: ["--faults"])
    }

    private func run(_ identifier: String, on daemon: Daemon) throws -> RunDocument {
        let command = try daemon.station.start(["run", identifier, "--json"], manifests: false)
            .finish()
        let runs = try JSONDecoder().decode(RunDocument.List.self, from: Data(command.output.utf8)).runs
        return try #require(runs.first, "\(command)")
    }

    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var outcome: String
        var signal: Int32?
        var reason: String?
        /// Its handler works until it is warned; the fault comes while it does.
        var isInProgress = false
    }

    private static let rows = [
        Row(testDescription: "crash", outcome: "crashed", signal: 11),
        Row(testDescription: "crash", outcome: "crashed", signal: 11, isInProgress: true),
        Row(testDescription: "kill", outcome: "crashed", signal: 9),
        Row(testDescription: "kill", outcome: "crashed", signal: 9, isInProgress: true),
        Row(testDescription: "slow-launch", outcome: "refused"),
        Row(testDescription: "memory-pressure", outcome: "expired", reason: "memoryPressure"),
        Row(testDescription: "memory-pressure", outcome: "expired", reason: "memoryPressure", isInProgress: true),
    ]

    @Test("happens once, to the run in progress or to the next one, and the record says what and why", arguments: rows)
    func outcome(_ row: Row) throws {
        let fault = row.testDescription
        let waits = row.isInProgress || row.reason != nil
        let daemon = try serve(waits ? ["p1": ["expires complete", "queue"]] : [:])
        let task = Conformance.identifier("p1")
        if row.isInProgress {
            try daemon.tell("submit", task)
            try daemon.waitForWork(task)
            let said = try daemon.tell("simulate", fault, task)
            #expect(said.hasPrefix("\(fault) for the run "), "\(said)")
            try daemon.wait(for: "run.ended", task)
        } else {
            let said = try daemon.tell("simulate", fault, task)
            #expect(said == "\(fault) for the next run of \(task)\n")
            _ = try run(task, on: daemon)
        }
        // A run that was warned for this is tried again.
        let ended = try #require(try daemon.runs("p1").first)
        #expect(ended.outcome == row.outcome && ended.reason == row.reason, "\(ended)")
        #expect(ended.signal == row.signal, "\(ended)")
        #expect(ended.diagnostics.contains { $0.hasPrefix("taskhost simulate \(fault): ") }, "\(ended)")
        #expect(try daemon.tell("journal").contains("Simulating \(fault) for task with identifier \(task)"))
        if !waits {
            // Once is all.
            #expect(try run(task, on: daemon).outcome == "succeeded")
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("A full disk is ENOSPC for libraries and programs, in a separate process, and nothing else is looser")
    func fullDisk() throws {
        let steps = ["write", "expires complete", "complete"]
        let daemon = try serve(["p1": steps], ["p1"])
        let task = Conformance.identifier("p1")
        #expect(try daemon.station.lines(run(task, on: daemon)) == ["wrote 0", "grew 0"])
        try daemon.tell("simulate", "disk-full", task)
        let full = try run(task, on: daemon)
        #expect(full.outcome == "succeeded", "\(full)")
        // ENOSPC for a new file, EFBIG for one that is there: what write(2) says at the limit.
        #expect(try daemon.station.lines(full) == ["wrote 28", "grew 27"])
        #expect(full.diagnostics.contains { $0.hasPrefix("taskhost simulate disk-full: ") }, "\(full)")
        #expect(try daemon.station.lines(run(task, on: daemon)) == ["wrote 0", "grew 0"])

        try daemon.tell("simulate", "disk-full", Self.program)
        let program = try run(Self.program, on: daemon)
        #expect(program.outcome == "failed", "\(program)")
        let said = try daemon.station.logs(program).text
        #expect(said.contains("No space left on device") || said.contains("cannot create"), "\(said)")
        #expect(try daemon.station.logs(run(Self.program, on: daemon)).text == "written\n")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is refused without --faults, by a daemon and without one, and shown where it is allowed")
    func refusal() throws {
        let application = try Conformance(["p1"])
        let task = Conformance.identifier("p1")
        let plain = try application.serve()
        for isServed in [true, false] {
            let refused = try plain.station.start(["simulate", "crash", task]).finish()
            #expect(refused.status == 64 && refused.errors.contains("taskhost serve --faults"), "\(refused)")
            if isServed {
                #expect(try !plain.tell("status").contains("faults"))
                #expect(try plain.stop().status == 0)
            }
        }
        let daemon = try Daemon(application.station, options: ["--faults"])
        #expect(try daemon.tell("status").contains("allowed: see taskhost simulate --help"))
        #expect(try daemon.tell("journal").contains("--faults"))
        let unknown = try daemon.station.start(["simulate", "crash", "com.ex.app.none"]).finish()
        #expect(unknown.status == 64 && unknown.errors.contains("no manifest has this task"), "\(unknown)")
        let ended = try daemon.stop()
        #expect(
            ended.status == 0 && ended.errors.contains("--faults: taskhost simulate can let tasks crash"), "\(ended)")
    }
}

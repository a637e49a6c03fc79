import Control
import JSON
import Linux
import TaskModel

/// `taskhost show RUN | ID`
enum ShowVerb: Verb {
    static let name = "show"
    static let summary = "everything about one run"
    static let help = """
        usage: taskhost show RUN | ID
               taskhost show REQUEST --fleet [--database TEXT]

        Shows a run's outcome, figures, events, diagnostics, the confinement that it really had, and what its request
        waited for and how long, and draws it on a time line: in one block, or in pieces between sleeps. For a crashed
        run it shows the place of the crash as the process reported it, and for a run that was interrupted with its
        application the reason for that termination, with the names of functions if the files have symbols. RUN is an
        id, or its first 8 characters or more; ID is a task, and means its last run. With --fleet it shows a request of
        a fleet, named by its key, and its runs on all hosts.
        """
    static let options: [Option] = FleetOption.options + [.utc, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.show(arguments, terminal)
            return ExitStatus.success
        }
        let record = try RecordAccess.open(arguments)
        let run = try RecordAccess.run(arguments, of: name, in: record)
        let end = try termination(of: run.record, in: record).map(TerminationText.init)
        if arguments.isJSON {
            let document = RunDocument.detailed(
                run.record, kept: run.kept, dropped: run.dropped, payload: run.payload, settings: run.settings)
            terminal.print(
                document.adding("frames", CodeFrames(crashOf: run.record)?.json ?? .array([]))
                    .adding("termination", end?.json ?? .null))
            return ExitStatus.success
        }
        var lines = RunTimeLines([run.record], now: Clock.moment().time, terminal.times)
        try lines.findSleeps(in: record)
        let picture = lines.single(width: terminal.outWidth ?? RunTimeLines.usualWidth) ?? []
        terminal.print(text(run, try budget(of: run.record, in: record), picture, end, terminal))
        return ExitStatus.success
    }

    /// The budget that its task has now, from a host that serves; nil: none does, or no manifest has the task any more.
    private static func budget(of run: RunRecord, in record: Past) throws(Failure) -> JSONValue? {
        guard let host = record.client as? RemoteClient else { return nil }
        return try host.documentIfThere(.describeTask, run.identifier)?["budget"]
    }

    /// What a run used, beside what it may use.
    private static func use(_ used: TimeSpan?, _ most: JSONValue?) -> String? {
        used.map { used in
            most?.double.map { "\(used) of \(TimeSpan(nanoseconds: Int64(($0 * 1e9).rounded())))" } ?? "\(used)"
        }
    }

    private static func use(_ used: ByteCount?, _ most: JSONValue?) -> String? {
        used.map { used in most?.integer.map { "\(used) of \(ByteCount(bytes: UInt64($0)))" } ?? "\(used)" }
    }

    /// The end of its application's process that interrupted the run.
    private static func termination(of run: RunRecord, in record: Past) throws(Failure) -> Termination? {
        guard run.reason == .applicationTerminated, let ended = run.endedAt else { return nil }
        let ends = try record.terminations(of: run.application, limit: mostEnds)
        return ends.first { $0.at <= ended && $0.at >= run.submittedAt }
    }

    /// How many terminations are searched for the one of a run.
    private static let mostEnds = 100

    private static func text(
        _ kept: KeptRun, _ budget: JSONValue?, _ picture: [String], _ end: TerminationText?, _ terminal: Terminal
    ) -> String {
        let run = kept.record
        var facts = Facts()
        facts.add("run", run.id.description)
        facts.add("identifier", run.identifier)
        facts.add("application", run.application)
        facts.add("outcome", RunRows.standing(of: run)) {
            terminal.coloured($0, RunRows.colour(of: run.outcome))
        }
        facts.add("reason", run.reason?.name)
        facts.add("attempt", "\(run.attempt)")
        facts.add("payload", kept.payload.flatMap { $0 > 0 ? "\(ByteCount(bytes: UInt64($0)))" : nil })
        facts.add("settings", kept.settings)
        facts.add("wall time", use(run.figures.wallTime, budget?["wallClock"]))
        facts.add("frozen", run.figures.frozenTime.map { "\($0), not part of the wall time" })
        facts.add("CPU time", use(run.figures.cpuTime, budget?["cpuTime"]))
        facts.add("peak memory", use(run.figures.peakMemory, budget?["memory"]))
        facts.add("memory at start", run.figures.memoryAtStart.map { "\($0), left in its process by earlier runs" })
        facts.add("signal", run.figures.signal.map(Signal.words))
        facts.add("exit status", run.figures.exitStatus.map { "\($0)" })
        facts.add("result", run.figures.result.map { RunRows.result($0) })
        facts.add("confinement", run.confinement)
        facts.add("degraded", run.degraded.isEmpty ? nil : run.degraded.joined(separator: ", "))
        for difference in run.marks.differences { facts.add("unlike itself", difference.sentence) }
        facts.add("last line", run.lastLine)
        for diagnostic in run.diagnostics where CrashTrace(diagnostic: diagnostic) == nil {
            facts.add("diagnostic", diagnostic)
        }
        let frames = CodeFrames(crashOf: run)?.lines ?? []
        let events = run.events.map { event in
            "  \(terminal.times.precise(event.at))  \(event.kind.name)"
                + (RunDocument.cause(of: event).map { " (\($0))" } ?? "")
        }
        let waits = run.waits.map { wait in
            let length = wait.to - wait.from
            return "  \(terminal.times.precise(wait.from))  \(wait.gate.name) \(length)"
        }
        let crash = frames.isEmpty ? [] : ["says that it crashed at"] + frames
        let termination = end.map { ["application terminated"] + $0.lines.map { "  " + $0 } } ?? []
        let waited = waits.isEmpty ? [] : ["waited for"] + waits
        var all: [String] = [facts.text]
        for part in [picture, termination, crash, ["events"], events, waited] { all += part }
        return all.joined(separator: "\n")
    }
}

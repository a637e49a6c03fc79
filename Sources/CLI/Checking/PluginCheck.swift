import Control
import Serving
import Setting
import TaskModel

/// Runs a plugin's handlers through everything that a host may do to them.
struct PluginCheck {
    /// With the tasks that its manifest has.
    let application: InstalledApplication
    /// With those of its events as well.
    let whole: InstalledApplication
    let state: String
    let terminal: Terminal
    var report: CheckReport
    /// One for each task.
    private var notes: [Notes]

    /// - Parameter state: a folder of the check's own.
    init(_ application: InstalledApplication, state: String, report: CheckReport, _ terminal: Terminal) {
        whole = application
        self.application = InstalledApplication(
            definition: application.definition, library: application.library,
            tasks: application.tasks.filter { $0.handler != .event }, libraryFolders: application.libraryFolders)
        self.state = state
        self.report = report
        self.terminal = terminal
        notes = Array(repeating: Notes(), count: self.application.tasks.count)
    }

    /// Runs all probes. Throws only when the machine or the user prevents that.
    mutating func run() throws(CheckFault) {
        if !application.tasks.isEmpty { try tasks() }
        try lifecycle()
        try events()
    }

    private mutating func tasks() throws(CheckFault) {
        guard try ownBudget() else {
            return report.add(nil, "further probes", .skip, "no run came to its end by itself")
        }
        try shortRuns()
        try warnings()
        reportNotes()
    }

    // MARK: With the manifest's own budget

    /// False when no handler completed: the other probes would all fail alike.
    private mutating func ownBudget() throws(CheckFault) -> Bool {
        let bench = try CheckBench(application, state: state) { $0 }
        var isUsable = false
        var isLaunched = false
        for (index, task) in application.tasks.enumerated() {
            show(task, "completes")
            guard let visit = try bench.run(index).first else { continue }
            guard visit.record.outcome != .refused, visit.record.startedAt != nil else {
                let isRefused = visit.record.outcome == .refused
                let seen =
                    isRefused ? Judgement.notes(visit.record) : Judgement(visit.record).words + ", while it was loaded"
                report.add(task.identifier, "launch", false, seen, printed: bench.lastLines(visit))
                continue
            }
            if !isLaunched { report.add(nil, "launch", true, "ready, ABI version accepted") }
            isLaunched = true
            let judgement = Judgement(visit.record)
            report.add(
                task.identifier, "completes within its budget", judgement.isGood, judgement.words,
                printed: bench.lastLines(visit))
            guard judgement.isGood else { continue }
            isUsable = true
            try rest(bench, index, task, after: visit)
            try look(bench, index, task, after: visit)
            note(index, [visit], bench)
        }
        let goodbye = try bench.close()
        if isLaunched {
            // A worker that does not exit is killed after this.
            let isSoon = goodbye < LimitsProfile.modern.lifecycleCallback
            report.add(nil, "leaves when asked", isSoon, isSoon ? "in \(goodbye)" : "it hung, and had to be killed")
        }
        return isUsable
    }

    private mutating func rest(
        _ bench: CheckBench, _ index: Int, _ task: TaskDefinition, after visit: CheckBench.Visit
    ) throws(CheckFault) {
        let probe = "leaves nothing running"
        guard application.definition.isolation != .run else {
            return report.add(task.identifier, probe, .skip, "each run has a process of its own, which ends with it")
        }
        show(task, probe)
        guard let before = visit.census, let after = try bench.rest(index), after.worker == before.worker else {
            return report.add(
                task.identifier, probe, false, "the worker ended, or used CPU after completion and was killed")
        }
        guard before.others == 0 else {
            return report.add(
                task.identifier, probe, false,
                before.others == 1 ? "1 process was left behind" : "\(before.others) processes were left behind")
        }
        var seen = "an idle worker with \(after.threads) threads"
        if let earlier = before.cpuTime, let later = after.cpuTime { seen += ", \(later - earlier) of CPU time since" }
        report.add(task.identifier, probe, true, seen)
    }

    // MARK: With little time

    /// Long enough for a handler to start; a longer one is warned, and has to stop.
    private static func short(_ budget: Budget) -> Budget {
        var budget = budget
        budget.wallClock = min(budget.wallClock, .seconds(2) + budget.grace)
        return budget
    }

    private mutating func shortRuns() throws(CheckFault) {
        let bench = try CheckBench(application, state: state, budget: Self.short)
        let largest = [UInt8](repeating: 0x78, count: Route.payloadBytes)
        for (index, task) in application.tasks.enumerated() {
            var visits: [CheckBench.Visit] = []
            show(task, "three runs")
            for _ in 0..<3 { visits += try bench.run(index) }
            together(task, "three runs in one process", visits, bench)
            try leaks(bench, index, task, pace: visits.compactMap(\.record.figures.wallTime).max())
            show(task, "two at once")
            let pair = try bench.run(index, times: 2)
            together(task, "two runs at once", pair, bench)
            visits += pair
            let inputs: [(String, [UInt8], String)] = [
                ("an empty payload", [], ""), ("a payload of \(largest.count >> 10) KiB", largest, ""),
                ("empty settings", [], "{}"),
            ]
            for (name, payload, settings) in inputs {
                show(task, name)
                let runs = try bench.run(index, payload: payload, settings: settings)
                together(task, name, runs, bench)
                visits += runs
            }
            note(index, visits, bench)
        }
        _ = try bench.close()
    }

    /// One row for several runs: all good, and in one process unless each is to have its own.
    mutating func together(
        _ task: TaskDefinition, _ probe: String, _ visits: [CheckBench.Visit], _ bench: CheckBench
    ) {
        let judgements = visits.map { Judgement($0.record) }
        if let place = judgements.firstIndex(where: { !$0.isGood }) {
            return report.add(
                task.identifier, probe, false, judgements[place].words, printed: bench.lastLines(visits[place]))
        }
        let workers = Set(visits.compactMap(\.census?.worker))
        guard workers.count <= 1 || application.definition.isolation == .run else {
            return report.add(task.identifier, probe, false, "the worker ended between two runs")
        }
        report.add(task.identifier, probe, true, judgements.map(\.words).joined(separator: ", "))
    }

    // MARK: Warned early

    /// Time that a handler has until the warning, which is enough to set its expiration handler.
    private static let untilWarning = TimeSpan.milliseconds(400)

    private mutating func warnings() throws(CheckFault) {
        let bench = try CheckBench(application, state: state) { budget in
            var budget = budget
            budget.wallClock = Self.untilWarning + budget.grace
            return budget
        }
        for (index, task) in application.tasks.enumerated() {
            show(task, "stops when warned")
            let runs = try bench.run(index)
            together(task, "stops when its budget ends", runs, bench)
            try expirations(bench, index, task)
            note(index, runs, bench)
            show(task, "stops when warned at once")
            let early = try bench.run(index, isWarnedAtOnce: true)
            // Warned before it could set its handler: the interface then completes it as failed.
            let judgement = Judgement(early[0].record, mayLackHandler: true)
            report.add(
                task.identifier, "stops when warned at once", judgement.isGood, judgement.words,
                printed: bench.lastLines(early[0]))
        }
        _ = try bench.close()
    }

    // MARK: Notes

    /// What all runs of one task left behind.
    private struct Notes {
        var sentences: Set<String> = []
        var dropped: UInt64 = 0
        var runs = 0
    }

    private mutating func note(_ index: Int, _ visits: [CheckBench.Visit], _ bench: CheckBench) {
        for visit in visits {
            notes[index].sentences.formUnion(bench.latest(visit).diagnostics)
            notes[index].dropped += visit.dropped
            notes[index].runs += 1
        }
    }

    private mutating func reportNotes() {
        for (task, notes) in zip(application.tasks, notes) where notes.runs > 0 {
            report.add(
                task.identifier, "keeps the interface's rules", notes.sentences.sorted(),
                else: "nothing to note in \(notes.runs) runs")
            report.add(
                task.identifier, "prints within bounds", notes.dropped == 0,
                notes.dropped == 0
                    ? "all of it was kept" : "\(ByteCount(bytes: notes.dropped)) more than is kept of a run's output")
        }
    }

    func show(_ task: TaskDefinition, _ probe: String) { terminal.status("\(task.identifier): \(probe)") }
}

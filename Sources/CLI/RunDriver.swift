import Engine
import Host
import JSON
import Linux
import Record
import TaskModel
import Wire

/// Asks a host for runs, keeps so many of them going, and gathers what became of them.
final class RunDriver: RunObserver {
    private let terminal: Terminal
    private let payload: [UInt8]
    private let settings: [UInt8]
    private let keepsRecords: Bool
    private let showsOutput: Bool
    private let progress: ProgressLine
    private let host: Host

    private(set) var records: [RunRecord] = []
    private var tasks: [(task: TaskIndex, name: String?)] = []
    private var total = 0
    private var submitted = 0
    private var ended = 0
    /// When each requester number's run was asked for, and the numbers that are free.
    private var askedAt: [Instant] = []
    private var freeNumbers: [UInt32] = []
    private var latencies: [Int64] = []
    private var outcomes = [Int](repeating: 0, count: Outcome.allCases.count + 1)
    private var began = Instant(nanoseconds: 0)
    private var finished = Instant(nanoseconds: 0)
    private(set) var exitStatus: Int32 = 0
    /// Why a name could not be recorded: nothing more is asked for.
    private var lost: StoreError?

    init(
        _ terminal: Terminal, payload: [UInt8], settings: [UInt8], keepsRecords: Bool, showsOutput: Bool,
        progress: ProgressLine, on host: Host
    ) {
        self.terminal = terminal
        self.payload = payload
        self.settings = settings
        self.keepsRecords = keepsRecords
        self.showsOutput = showsOutput
        self.progress = progress
        self.host = host
    }

    /// Runs each task so many times and returns when all have ended.
    ///
    /// - Parameter tasks: each with its name, if it is one for which the task's identifier stands.
    func run(_ tasks: [(task: TaskIndex, name: String?)], times: Int, atOnce: Int) throws(HostError) {
        self.tasks = tasks
        total = tasks.count * times
        askedAt = Array(repeating: Instant(nanoseconds: 0), count: min(atOnce, total))
        freeNumbers = (0..<UInt32(askedAt.count)).reversed()
        latencies.reserveCapacity(keepsRecords ? 0 : total)
        began = Clock.moment().instant
        host.decider.refreshClock()
        while submitted < total, !freeNumbers.isEmpty, lost == nil { ask() }
        try host.run { ended == submitted && (submitted == total || host.isStopping || lost != nil) }
        if let lost { throw .store(lost) }
        finished = Clock.moment().instant
    }

    /// Reads the records again: notes may have come after a run's end.
    func refresh() {
        records = records.map { host.record(of: $0.id) ?? $0 }
    }

    private func ask() {
        guard let number = freeNumbers.popLast() else { return }
        askedAt[Int(number)] = Clock.moment().instant
        let task = tasks[submitted % tasks.count]
        do throws(StoreError) {
            _ = try host.submit(
                task.task, as: task.name, payload: payload, settings: settings, requester: number, observer: self)
            submitted += 1
        } catch {
            lost = error
        }
    }

    // MARK: RunObserver

    func run(_ run: RunHandle, didEnd slot: RunSlot) {
        ended += 1
        let outcome = slot.outcome ?? .interrupted
        outcomes[Int(outcome.rawValue)] += 1
        exitStatus = Outcome.exitStatus(exitStatus, outcome.exitStatus)
        if keepsRecords {
            if let record = host.record(of: run) { records.append(record) }
        } else {
            latencies.append((Clock.moment().instant - askedAt[Int(slot.requester)]).nanoseconds)
            if progress.isOn && ended & 1023 == 0 { terminal.status("\(ended) of \(total) runs") }
        }
        freeNumbers.append(slot.requester)
        if submitted < total && !host.isStopping && lost == nil { ask() }
    }

    func run(_ run: RunHandle, didProgress report: ProgressReport) {
        guard keepsRecords, let name = host.runs.identifier(of: run) else { return }
        progress.show(name, completed: report.completed, total: report.total, note: report.text)
    }

    func run(_ run: RunHandle, waits wait: LaunchWait) {
        guard let name = host.runs.identifier(of: run) else { return }
        terminal.note(WaitingLine.text(name, wait.shortage.wanted, pause: wait.pause.seconds))
    }

    func run(_ run: RunHandle, didPrint bytes: UnsafeRawBufferPointer) {
        if showsOutput { terminal.note(raw: bytes) }
    }

    // MARK: The summary of repeated runs

    private var wallTime: TimeSpan { finished - began }
    private var rate: Double { wallTime.nanoseconds > 0 ? Double(ended) / wallTime.seconds : 0 }

    /// The sample at that share of all, sorted (nearest rank).
    private func percentile(_ share: Double, of sorted: [Int64]) -> TimeSpan {
        guard !sorted.isEmpty else { return .zero }
        let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return TimeSpan(nanoseconds: sorted[max(0, min(sorted.count - 1, rank))])
    }

    var summary: JSONOutput {
        let sorted = latencies.sorted()
        let counted = Outcome.allCases.filter { outcomes[Int($0.rawValue)] > 0 }
        return .object([
            "runs": JSONOutput(ended as Int?),
            "wallTime": JSONOutput(wallTime.seconds as Double?),
            "runsPerSecond": JSONOutput(rate as Double?),
            "latency": .object([
                "p50": JSONOutput(percentile(0.5, of: sorted).seconds as Double?),
                "p99": JSONOutput(percentile(0.99, of: sorted).seconds as Double?),
                "max": JSONOutput(TimeSpan(nanoseconds: sorted.last ?? 0).seconds as Double?),
            ]),
            "outcomes": .object(
                counted.map { JSONOutput.Member($0.name, JSONOutput(outcomes[Int($0.rawValue)] as Int?)) }),
        ])
    }

    var summaryText: String {
        let sorted = latencies.sorted()
        let counted = Outcome.allCases.filter { outcomes[Int($0.rawValue)] > 0 }
        return """
            \(ended) runs in \(wallTime), \(Int(rate)) a second
            latency  p50 \(percentile(0.5, of: sorted))  p99 \(percentile(0.99, of: sorted))  \
            max \(TimeSpan(nanoseconds: sorted.last ?? 0))
            \(counted.map { "\($0.name) \(outcomes[Int($0.rawValue)])" }.joined(separator: "  "))
            """
    }
}

package import Engine
package import Host
import Linux
import Record
package import Setting
package import TaskModel

/// Runs tasks repeatedly, with a number of runs at once, and measures them: for `taskhost run --repeat`. Thread: the
/// loop's.
package final class RunSeries {
    /// The results.
    package struct Summary {
        package let runs: Int
        package let wallTime: TimeSpan
        /// From asking for a run to its end, sorted; nanoseconds.
        private let latencies: [Int64]
        /// Those that there were, in the order of their numbers.
        package let outcomes: [(outcome: Outcome, runs: Int)]
        /// With several runs, the largest; that of a deferred one only when the others succeeded.
        package let exitStatus: Int32

        fileprivate init(wallTime: TimeSpan, latencies: [Int64], counts: [Int]) {
            runs = latencies.count
            self.wallTime = wallTime
            self.latencies = latencies.sorted()
            outcomes = Outcome.allCases.map { ($0, counts[Int($0.rawValue)]) }.filter { $0.1 > 0 }
            exitStatus = outcomes.map(\.outcome.exitStatus).reduce(0, Outcome.exitStatus)
        }

        /// Runs a second.
        package var rate: Double { wallTime.nanoseconds > 0 ? Double(runs) / wallTime.seconds : 0 }
        package var longest: TimeSpan { TimeSpan(nanoseconds: latencies.last ?? 0) }

        /// The latency at that share of all (nearest rank).
        package func percentile(_ share: Double) -> TimeSpan {
            guard !latencies.isEmpty else { return .zero }
            let rank = Int((share * Double(latencies.count)).rounded(.up)) - 1
            return TimeSpan(nanoseconds: latencies[max(0, min(latencies.count - 1, rank))])
        }
    }

    private let host: Host
    private let payload: [UInt8]
    private let settings: [UInt8]
    private let tasks: [(task: TaskIndex, name: String?)]
    private let total: Int
    private let progress: (_ ended: Int, _ total: Int) -> Void
    private let waits: (_ identifier: String, Shortage, _ pause: TimeSpan) -> Void

    private var submitted = 0
    private var ended = 0
    /// When the run of each requester number was requested, and the free numbers.
    private var askedAt: [Instant]
    private var freeNumbers: [UInt32]
    private var latencies: [Int64] = []
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count + 1)
    /// Why a name could not be recorded: no more runs are requested.
    private var lost: StoreError?

    /// - Parameters:
    ///   - tasks: each with its name, if it matches the task's wildcard.
    ///   - times: how often each is run.
    ///   - atOnce: runs that are kept going.
    ///   - progress: called after every 1,024 runs.
    ///   - waits: called for a run that cannot be launched now.
    package init(
        on service: Service, _ tasks: [(task: String, name: String?)], times: Int, atOnce: Int, payload: [UInt8],
        settings: [UInt8], progress: @escaping (Int, Int) -> Void,
        waits: @escaping (_ identifier: String, Shortage, _ pause: TimeSpan) -> Void
    ) {
        let host = service.host
        self.host = host
        let tasks = tasks.compactMap { task in host.installed.task(named: task.task).map { ($0, task.name) } }
        self.tasks = tasks
        total = tasks.count * times
        self.payload = payload
        self.settings = settings
        self.progress = progress
        self.waits = waits
        askedAt = Array(repeating: Instant(nanoseconds: 0), count: min(atOnce, total))
        freeNumbers = (0..<UInt32(askedAt.count)).reversed()
        latencies.reserveCapacity(total)
    }

    /// Runs them, and returns when all have ended or the host was asked to stop. Call it once.
    package func run() throws(HostError) -> Summary {
        let began = Clock.moment().instant
        host.decider.refreshClock()
        while submitted < total, !freeNumbers.isEmpty, lost == nil { ask() }
        try host.run { ended == submitted && (submitted == total || host.isStopping || lost != nil) }
        if let lost { throw .store(lost) }
        return Summary(wallTime: Clock.moment().instant - began, latencies: latencies, counts: counts)
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
}

extension RunSeries: RunObserver {
    package func run(_ run: RunHandle, didEnd slot: RunSlot) {
        ended += 1
        counts[Int((slot.outcome ?? .interrupted).rawValue)] += 1
        latencies.append((Clock.moment().instant - askedAt[Int(slot.requester)]).nanoseconds)
        if ended & 1023 == 0 { progress(ended, total) }
        freeNumbers.append(slot.requester)
        if submitted < total && !host.isStopping && lost == nil { ask() }
    }

    package func run(_ run: RunHandle, waits wait: LaunchWait) {
        guard let name = host.runs.identifier(of: run) else { return }
        waits(name, wait.shortage, wait.pause)
    }
}

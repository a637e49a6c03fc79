import Engine
import Host
import Linux
package import Setting
package import TaskModel
import Wire

/// Why a check was not completed.
package enum CheckFault: Error {
    case host(HostError)
    /// The user stopped it.
    case stopped

    /// The value of a call of the host, whose error becomes the check's.
    static func rethrowing<Value>(_ call: @autoclosure () throws(HostError) -> Value) throws(CheckFault) -> Value {
        do throws(HostError) {
            return try call()
        } catch {
            throw .host(error)
        }
    }
}

/// A host of the check's own, in which handlers are run one probe at a time.
package final class CheckBench {
    /// A run that has ended, and the worker that it left.
    package struct Visit {
        package var record: RunRecord
        package var census: WorkerCensus?
        package var dropped: UInt64
    }

    /// How long a worker is watched after a run: the engine reads it twice within this time.
    static let watch = TimeSpan.milliseconds(1500)

    let host: Host
    let identifier: String
    private let alarm = Alarm()
    private let tasks: [TaskIndex]

    /// - Parameters:
    ///   - suspendsAtOnce: the application is suspended as soon as it has nothing to do in the background.
    ///   - budget: the handlers' budget instead of the manifest's.
    package init(
        _ application: InstalledApplication, state: String, suspendsAtOnce: Bool = false, budget: (Budget) -> Budget
    ) throws(CheckFault) {
        identifier = application.definition.identifier
        var configuration = HostConfiguration()
        if suspendsAtOnce { configuration.setWorkerTimes(suspendAfter: .zero) }
        // It is asked for its resources after the watch.
        configuration.setWorkerTimes(idle: Self.watch + Self.watch)
        configuration.checksHandlers = true
        host = try CheckFault.rethrowing(Host(stateFolder: state, configuration: configuration))
        try CheckFault.rethrowing(host.add(alarm))
        let changed = InstalledApplication(
            definition: application.definition, library: application.library,
            tasks: application.tasks.map { task in
                var task = task
                task.budget = budget(task.budget)
                return task
            }, libraryFolders: application.libraryFolders)
        tasks = try CheckFault.rethrowing(host.install(changed))
    }

    /// Runs a task this many times at once, and returns when all have ended.
    ///
    /// - Parameter isWarnedAtOnce: they are warned as soon as they run.
    package func run(
        _ task: Int, times: Int = 1, payload: [UInt8] = [], settings: String = "", isWarnedAtOnce: Bool = false
    ) throws(CheckFault) -> [Visit] {
        let visits = Visits(host)
        host.decider.refreshClock()
        var unwarned: [RunHandle] = []
        for _ in 0..<times {
            let run = host.submit(tasks[task], payload: payload, settings: Array(settings.utf8), observer: visits)
            if isWarnedAtOnce { unwarned.append(run) }
        }
        try turn {
            unwarned.removeAll { run in
                guard self.host.decider.run(run)?.phase == .running else { return false }
                self.host.simulateExpiration(run)
                return true
            }
            return visits.list.count == times
        }
        return visits.list
    }

    /// Lets the worker of a task rest, and returns its census afterwards; nil when it has ended.
    package func rest(_ task: Int) throws(CheckFault) -> WorkerCensus? {
        _ = try turn(within: Self.watch) { self.host.census(of: self.tasks[task]) == nil }
        return host.census(of: tasks[task])
    }

    /// The resources that the code of the task's worker holds, as it reports them; nil: it does not answer.
    package func count(_ task: Int) throws(CheckFault) -> WorkerCount? {
        host.askCount(of: tasks[task])
        _ = try turn(within: Self.patience) {
            self.host.count(of: self.tasks[task]) != nil || self.host.census(of: self.tasks[task]) == nil
        }
        return host.count(of: tasks[task])
    }

    /// How long an answer of a worker is waited for.
    private static let patience = TimeSpan.seconds(2)

    package func census(_ task: Int) -> WorkerCensus? { host.census(of: tasks[task]) }

    /// The run's output until it completed, the time of that, and its output afterwards.
    package func output(_ visit: Visit) -> (text: [UInt8], completed: Timestamp?, late: [UInt8]) {
        let output = host.output(of: visit.record.id)
        guard let parts = CompletionMark.split(output) else { return (output, nil, []) }
        // They come in two pipes: which was printed first shows within each alone.
        let late = [LogStream.stdout, .stderr].flatMap { stream in
            CompletionMark.split(host.output(of: visit.record.id, on: stream))?.late ?? []
        }
        return (parts.text, parts.mark.time, late)
    }

    package func lastLines(_ visit: Visit) -> [String] { LastLines.of(output(visit).text) }

    /// The run's present record: diagnostics may follow its end.
    package func latest(_ visit: Visit) -> RunRecord { host.record(of: visit.record.id) ?? visit.record }

    /// Ends the worker, and returns how long that took.
    package func close() throws(CheckFault) -> TimeSpan {
        let began = host.moment.instant
        try CheckFault.rethrowing(host.close())
        return host.moment.instant - began
    }

    /// - Returns: whether it was done within that time.
    func turn(within span: TimeSpan, until isDone: () -> Bool) throws(CheckFault) -> Bool {
        let end = host.moment.instant + span
        alarm.nextDeadline = end
        try turn { isDone() || self.host.moment.instant >= end }
        return isDone()
    }

    private func turn(until isDone: () -> Bool) throws(CheckFault) {
        try CheckFault.rethrowing(host.run(until: isDone))
        if host.isStopping {
            _ = try close()
            throw .stopped
        }
    }
}

/// Gathers the runs that have ended.
private final class Visits: RunObserver {
    private unowned let host: Host
    private(set) var list: [CheckBench.Visit] = []

    init(_ host: Host) { self.host = host }

    func run(_ run: RunHandle, didEnd slot: RunSlot) {
        guard let record = host.record(of: run) else { return }
        list.append(
            CheckBench.Visit(
                record: record, census: host.census(of: slot.task), dropped: host.outputSize(of: record.id).dropped))
    }
}

/// Ends a wait of the loop's at a time.
private final class Alarm: TimedSource {
    var nextDeadline = Instant.distantFuture

    func advance(to now: ClockReading) { if now.instant >= nextDeadline { nextDeadline = .distantFuture } }
    func close() {}
}

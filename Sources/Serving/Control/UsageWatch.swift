import Engine
import Host
import JSON
import Setting
import TaskModel
import Workers

/// What a run uses at the moment. Memory is that of its whole tree, which its siblings share; nil: the machine does not tell.
struct RunUsage {
    var cpuTime: TimeSpan
    var memory: ByteCount?
    var peakMemory: ByteCount?

    var members: [JSONOutput.Member] {
        [
            .init("cpuTime", .double(cpuTime.seconds)), .init("memory", JSONOutput(memory?.bytes)),
            .init("peakMemory", JSONOutput(peakMemory?.bytes)),
        ]
    }
}

/// Reads what runs in progress use, once a second, while a client of the events asked for that and a run is in progress.
/// Thread: the loop's.
final class UsageWatch: TimedSource {
    private static let pause = TimeSpan.seconds(1)
    /// Runs that one turn reads: some files of the kernel each.
    private static let mostRuns = 16

    private unowned let host: Host
    private let hub: EventHub
    private var due = Instant(nanoseconds: 0)
    /// Those that are still to be read in this round.
    private var rest: ArraySlice<RunHandle> = []

    init(_ host: Host, _ hub: EventHub) {
        self.host = host
        self.hub = hub
    }

    // MARK: EventSource

    var nextDeadline: Instant {
        guard hub.usageListeners > 0, host.decider.runsInProgress > 0 else { return .distantFuture }
        return rest.isEmpty ? due : Instant(nanoseconds: 0)
    }

    func afterCommit(at now: ClockReading) -> Bool { false }

    func advance(to now: ClockReading) {
        guard hub.usageListeners > 0 else { return rest = [] }
        if rest.isEmpty {
            rest = host.decider.activeRuns[...]
            due = now.instant + Self.pause
        }
        for run in rest.prefix(Self.mostRuns) { tell(run) }
        rest = rest.dropFirst(Self.mostRuns)
    }

    private func tell(_ run: RunHandle) {
        guard let slot = host.decider.run(run), slot.isActive,
            let standing = host.decider.standing(of: run),
            let worker = host.runs[run].worker, let record = host.workers.table[worker], !record.isGone
        else { return }
        let cpu = host.workers.listener.cpuTime(of: record)
        hub.run(
            run,
            uses: RunUsage(
                cpuTime: max(.zero, cpu - standing.cpuAtStart), memory: record.group.currentMemory(),
                peakMemory: record.group.peakMemory()))
    }

    func close() { rest = [] }
}

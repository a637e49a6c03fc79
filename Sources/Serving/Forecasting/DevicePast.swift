import Record
import TaskModel

/// The recorded conditions of the machine in a past interval: when a host observed them, their values, and the user's
/// overrides.
///
/// The record has only changes. Between two of them nothing is known unless a host observed throughout: `taskhost serve`
/// does from its start to its end, and one that was killed did until its last trace. An observation of a verb in its own
/// process holds for that moment alone.
struct DevicePast {
    /// An interval of time, without its end.
    typealias Stretch = Range<Timestamp>

    let start: Timestamp
    let end: Timestamp
    /// What each condition became, oldest first; of the time before the start the newest alone.
    private let log: [ConditionName: [DeviceLogEntry]]
    /// When a host observed: in order of time, none of them empty.
    let watched: [Stretch]
    /// When each condition was overridden by the user.
    private let overridden: [ConditionName: [Stretch]]

    /// - Parameters:
    ///   - log: the device's log, oldest first, with the last known values from before `start`.
    ///   - journal: oldest first: of hosts and of overrides, from as long before `start` as it takes.
    ///   - lastTrace: when a host has last done anything; nil: never.
    ///   - isServed: a host serves at `end`.
    init(
        log: [DeviceLogEntry], journal: [JournalEntry], lastTrace: Timestamp?, isServed: Bool, from start: Timestamp,
        to end: Timestamp
    ) {
        self.start = start
        self.end = end
        // A clock that was set back has left later lines with earlier times.
        self.log = Dictionary(grouping: log, by: \.condition).mapValues { $0.sorted { $0.at < $1.at } }
        let traces = log.map(\.at) + [lastTrace].compactMap(\.self)
        watched = Self.watched(journal, traces: traces, isServed: isServed, until: end)
            .compactMap { Self.part(of: $0, from: start, to: end) }
        overridden = Self.overridden(journal, until: end)
    }

    /// How much of it a host observed.
    var covered: TimeSpan { watched.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// Whether a host observed at a time.
    func isWatched(at time: Timestamp) -> Bool { watched.contains { $0.contains(time) } }

    /// The observed value of a condition at a time with observation; nil: unknown, because the user had overridden it.
    func word(of condition: ConditionName, at time: Timestamp) -> String? {
        if overridden[condition]?.contains(where: { $0.contains(time) }) == true { return nil }
        // Nothing at all: it was unknown all the time.
        guard let entries = log[condition] else { return condition.text(in: DeviceConditions()) }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        // Before its first entry a condition is assumed to have had the same value; but a machine that falls asleep was
        // awake.
        if low == 0 && condition == .sleep { return condition.text(in: DeviceConditions()) }
        return entries[max(0, low - 1)].value
    }

    /// Moments at which something may have become another, in their order, without the start.
    var turns: [Timestamp] {
        let bounds = (watched + overridden.values.flatMap(\.self)).flatMap { [$0.lowerBound, $0.upperBound] }
        return Set(bounds + log.values.joined().map(\.at)).filter { $0 > start && $0 < end }.sorted()
    }

    // MARK: Reading the journal

    private static func watched(
        _ journal: [JournalEntry], traces: [Timestamp], isServed: Bool, until end: Timestamp
    ) -> [Stretch] {
        let lives = journal.filter { $0.kind == .hostStarted || $0.kind == .hostStopped }
        guard !lives.isEmpty else {
            // The journal does not reach back so far, or never knew a host: from the first thing seen to the last.
            guard let first = traces.min(), let last = isServed ? end : traces.max(), first < last else { return [] }
            return [first..<last]
        }
        let traces = (traces + journal.map(\.at)).sorted()
        var stretches: [Stretch] = []
        var begin: Timestamp?
        func close(at time: Timestamp) {
            if let begin, begin < time { stretches.append(begin..<time) }
        }
        for (index, line) in lives.enumerated() {
            if line.kind == .hostStopped {
                // The line of its start may have been forgotten.
                if index == 0 { begin = journal[0].at }
                close(at: line.at)
                begin = nil
            } else {
                // The one before it was killed.
                if begin != nil, let trace = traces.last(where: { $0 < line.at }) { close(at: trace) }
                begin = line.at
            }
        }
        if begin != nil, let last = isServed ? end : traces.last { close(at: last) }
        return stretches
    }

    private static func overridden(_ journal: [JournalEntry], until end: Timestamp) -> [ConditionName: [Stretch]] {
        var since: [ConditionName: Timestamp] = [:]
        var stretches: [ConditionName: [Stretch]] = [:]
        for line in journal {
            if line.kind == .deviceOverride {
                guard let name = ConditionName(line.subject) else { continue }
                since[name] = since[name] ?? line.at
            } else if line.kind == .deviceReset {
                for (name, from) in since where from < line.at { stretches[name, default: []].append(from..<line.at) }
                since.removeAll()
            }
        }
        for (name, from) in since where from < end { stretches[name, default: []].append(from..<end) }
        return stretches
    }

    private static func part(of stretch: Stretch, from start: Timestamp, to end: Timestamp) -> Stretch? {
        let (from, to) = (max(stretch.lowerBound, start), min(stretch.upperBound, end))
        return from < to ? from..<to : nil
    }
}

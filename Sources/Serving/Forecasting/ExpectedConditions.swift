import JSON
import Scheduling
import TaskModel

/// How a forecast expects the device to be.
struct ExpectedConditions {
    enum Source: String {
        case trace
        case recorded
        case steady
    }

    var source: Source
    /// In order of time; the first holds from the start on.
    var changes: [Forecast.Change]
    /// How much of the time is played from the record; none with a trace or on steady days.
    private(set) var covered = TimeSpan.zero
    /// How long the forecast is.
    private(set) var length = TimeSpan.zero
    /// The user's overrides, which hold until they are reset.
    private(set) var overrides: [ConditionName: String] = [:]

    /// Times at which the windows of the configuration open and close.
    private(set) var edges: [Timestamp] = []

    /// Pressure lasts seconds: a past value predicts nothing. Windows are known.
    private static let passing: Set<ConditionName> = [.cpu, .memory, .window]

    /// - Parameter windows: those of the configuration; nil: none apply, because there are none or the trace has its own.
    init(trace changes: [Forecast.Change], windows: WorkWindows?, from start: Timestamp, length: TimeSpan) {
        source = .trace
        self.changes = changes
        self.length = length
        if let windows { add(windows, from: start) }
    }

    /// The past once more: for a forecast of a week, last week becomes next week. Where the record has a gap, no condition
    /// blocks anything. Past overrides do not count; present ones stay.
    ///
    /// - Parameters:
    ///   - past: as long as the forecast, and just before it; nil: there is no record.
    ///   - overrides: the user's present overrides.
    ///   - windows: those of the configuration; nil: there are none.
    init(
        _ past: DevicePast?, overrides: [ConditionName: String], windows: WorkWindows? = nil, from start: Timestamp,
        length: TimeSpan
    ) {
        self.overrides = overrides
        self.length = length
        covered = past?.covered ?? .zero
        source = covered > .zero ? .recorded : .steady
        func conditions(at time: Timestamp?) -> DeviceConditions {
            var conditions = DeviceConditions.quiet
            if let past, let time, past.isWatched(at: time) {
                for name in ConditionName.ofMachine where !Self.passing.contains(name) {
                    if let word = past.word(of: name, at: time) { _ = name.set(word, in: &conditions) }
                }
            }
            for (name, word) in overrides { _ = name.set(word, in: &conditions) }
            return conditions
        }
        changes = [Forecast.Change(at: start, conditions: conditions(at: past?.start))]
        for turn in past?.turns ?? [] {
            let next = Forecast.Change(at: turn + length, conditions: conditions(at: turn))
            if next.conditions != changes.last?.conditions { changes.append(next) }
        }
        if let windows, overrides[.window] == nil { add(windows, from: start) }
    }

    /// Lets the windows open and close.
    private mutating func add(_ windows: WorkWindows, from start: Timestamp) {
        edges = windows.edges(after: start, before: start + length)
        var rest = changes[...]
        var conditions = DeviceConditions.quiet
        changes = Set(changes.map(\.at) + edges).sorted().map { time in
            while let change = rest.first, change.at <= time {
                conditions = change.conditions
                rest.removeFirst()
            }
            var now = conditions
            windows.tell(&now, at: time)
            return Forecast.Change(at: time, conditions: now)
        }
    }

    // MARK: Telling

    /// When the windows of the configuration open and close.
    var edgesDocument: JSONOutput {
        let times = Set(edges)
        return .array(
            changes.filter { times.contains($0.at) }.map { change in
                .object([
                    "at": .string(change.at.iso8601),
                    "window": .string(ConditionName.window.text(in: change.conditions)),
                ])
            })
    }

    /// How much of the forecast is played from the record, in seconds.
    var coveredDocument: JSONOutput { .double(covered.seconds) }

    var overridesDocument: JSONOutput {
        .object(
            overrides.sorted { $0.key.index < $1.key.index }.map {
                JSONOutput.Member($0.key.word, .string($0.value))
            })
    }
}

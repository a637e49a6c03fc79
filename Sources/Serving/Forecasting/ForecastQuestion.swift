import Control
import JSON
import Manifests
import Scheduling
import Setting
import TaskModel

/// All input of a forecast, so that a thread can compute it.
struct ForecastQuestion: Sendable {
    /// An application whose tasks are played.
    struct Application: Sendable {
        var definition: ApplicationDefinition
        /// In the order of the manifest, and behind them those of its events.
        var tasks: [TaskDefinition]
    }

    /// Days at most.
    static let days: ClosedRange<Int64> = 1...366
    /// Runs at most: those of a task every minute for two weeks.
    static let mostRuns = 20_000

    var start: Timestamp
    var length: TimeSpan
    /// The requested tasks and applications; empty: all.
    var wanted: [String] = []
    /// How the device's conditions change; nil: as they did.
    var trace: [UInt8]?
    var applications: [Application] = []
    /// They are the host's own: files that their tasks need may be looked at.
    var areInstalled = false
    var limits: SchedulerLimits
    var windows: [WindowDefinition]
    /// Where the seed of a machine without an id is kept.
    var stateFolder: String

    // MARK: The host's data

    /// Requests that wait.
    var requests: [TaskRequest] = []
    /// The stored state of applications, by identifier.
    var memories: [String: ApplicationMemory] = [:]
    /// The median length of a task's newest runs, by identifier.
    var lengths: [String: TimeSpan] = [:]
    /// The known conditions before the start, for as long as the forecast; nil: a trace is given.
    var past: DevicePast?
    /// The conditions that the operator has set, and not reset since.
    var overrides: [ConditionName: String] = [:]
    /// What the user holds back.
    var pauses: [PausedWork: WorkPause] = [:]

    // MARK: Answering

    /// The document as text, or why there is none. Reads the files of time zones, and looks at those of secrets; *thread*: any.
    func answer() -> Result<[UInt8], Problem> {
        let zones = TimeZones(stateFolder: stateFolder)
        var scheduler = Scheduler(limits: limits)
        let setup = ForecastSetup(self, zones, into: &scheduler)
        var identifiers: [String] = []
        for word in wanted {
            let named = setup.identifiers(namedBy: word)
            guard !named.isEmpty else {
                return .failure(
                    .noSuchTask(word, near: Nearest.match(for: word, among: setup.identifiers.values.sorted())))
            }
            identifiers += named
        }
        let conditions: ExpectedConditions
        do throws(Problem) {
            conditions = try expectedConditions(windows.isEmpty ? nil : WorkWindows(windows, zone: zones.rules))
        } catch {
            return .failure(error)
        }
        let forecast = Forecast(scheduler, lengths: setup.lengths, from: start, limit: Self.mostRuns)
        forecast.play(over: conditions.changes, until: start + length)
        let document = ForecastDocument(
            forecast: forecast, setup: setup, conditions: conditions, start: start, wanted: identifiers,
            refused: areInstalled ? applications.map(\.definition).flatMap(RunSecrets.sentences) : [])
        return .success(document.json.bytes())
    }

    private func expectedConditions(_ windows: WorkWindows?) throws(Problem) -> ExpectedConditions {
        guard let trace else {
            return ExpectedConditions(past, overrides: overrides, windows: windows, from: start, length: length)
        }
        let played = DeviceTrace(trace, file: "$.trace", from: start, conditions: .quiet)
        guard played.faults.isEmpty else {
            throw .badRequest(
                played.faults.map {
                    Problem.Fault(
                        path: "$.trace at line \($0.position.line), column \($0.position.column)", found: $0.found,
                        expected: $0.expected, hint: $0.hint)
                })
        }
        let first = Forecast.Change(at: start, conditions: .quiet)
        return ExpectedConditions(
            trace: [first] + played.changes, windows: played.names.contains(.window) ? nil : windows, from: start,
            length: length)
    }
}

import Record
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
    /// In the order of time; the first holds from the start on.
    var changes: [Forecast.Change]

    /// Days on which nothing holds anything back.
    static func steady(from start: Timestamp) -> ExpectedConditions {
        ExpectedConditions(source: .steady, changes: [Forecast.Change(at: start, conditions: .quiet)])
    }

    /// The past once more, as long as the forecast: what was a week ago is next week when the forecast is for a week.
    ///
    /// - Parameters:
    ///   - log: of the time as long before `start`, oldest first; not empty.
    ///   - length: of the forecast.
    static func recorded(_ log: [DeviceLogEntry], from start: Timestamp, length: TimeSpan) -> ExpectedConditions {
        // What a condition was before the log knows it, it is taken to have been already.
        var conditions = DeviceConditions()
        var known: Set<ConditionName> = []
        for entry in log where known.insert(entry.condition).inserted {
            _ = entry.condition.set(entry.value, in: &conditions)
        }
        var changes = [Forecast.Change(at: start, conditions: conditions)]
        for entry in log {
            let at = entry.at + length
            guard at > start, entry.condition.set(entry.value, in: &conditions) else { continue }
            changes.append(Forecast.Change(at: at, conditions: conditions))
        }
        return ExpectedConditions(source: .recorded, changes: changes)
    }

    /// For people.
    var sentence: String {
        switch source {
        case .trace: "the conditions are those of the trace, else mains, an unmetered network and an idle machine"
        case .recorded: "the conditions are those of the time as long before now"
        case .steady:
            "nothing is recorded of the device: mains, an unmetered network and an idle machine are assumed; "
                + "give a --trace for other conditions"
        }
    }
}

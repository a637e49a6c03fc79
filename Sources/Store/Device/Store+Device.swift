package import Record
package import TaskModel

// The device: past values of its conditions, for forecasts over the recorded past, and the user's overrides.
extension Store {
    /// Records new values of conditions; a repeated value is not written.
    package func putDevice(_ changed: [(ConditionName, String)], at moment: Timestamp) throws(StoreError) {
        for (condition, value) in changed where try loggedValue(of: condition) != value {
            try put(world.addValue, moment, condition.word, value)
            loggedValues[condition] = value
        }
    }

    private func loggedValue(of condition: ConditionName) throws(StoreError) -> String? {
        if let value = loggedValues[condition] { return value }
        let value = try history.newestValue(of: condition)
        loggedValues[condition] = value
        return value
    }

    /// Stores the user's override of a condition, across restarts.
    package func setOverride(_ condition: ConditionName, _ value: String) throws(StoreError) {
        try put(world.setOverride, condition.word, value)
    }

    /// Deletes all overrides.
    package func clearOverrides() throws(StoreError) {
        try put(world.clearOverrides)
    }
}

extension History {
    func newestValue(of condition: ConditionName) throws(StoreError) -> String? {
        let row = try Statement(
            database, "SELECT value FROM device_log WHERE condition = ?1 ORDER BY seq DESC LIMIT 1",
            what: "read the log of the device")
        row.bind(1, condition.word)
        return try row.next() ? row.text(0) : nil
    }

    /// The user's overrides.
    package func overrides() throws(StoreError) -> [ConditionName: String] {
        let row = try Statement(database, "SELECT condition, value FROM overrides", what: "read what was overridden")
        var overrides: [ConditionName: String] = [:]
        while try row.next() {
            if let condition = row.text(0).flatMap({ ConditionName($0) }) { overrides[condition] = row.text(1) }
        }
        return overrides
    }
}

/// Columns of a line of the device's log.
enum DeviceColumn: Int32, RowColumn {
    case seq, at, condition, value
}

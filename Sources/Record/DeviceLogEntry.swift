package import TaskModel

/// A new value of a condition, in the words of `ConditionName.values`.
package struct DeviceLogEntry: Sendable, Equatable {
    package var at: Timestamp
    package var condition: ConditionName
    package var value: String

    package init(at: Timestamp, condition: ConditionName, value: String) {
        self.at = at
        self.condition = condition
        self.value = value
    }
}

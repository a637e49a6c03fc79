package import Host
package import JSON
package import Record
import TaskModel

/// The device's conditions in the control API.
package enum DeviceDocument {
    /// The new value of a condition.
    package static func json(_ entry: DeviceLogEntry) -> JSONOutput {
        .object([
            "at": .string(entry.at.iso8601), "condition": .string(entry.condition.word),
            "value": .string(entry.value),
        ])
    }

    package static func json(_ device: DeviceState) -> JSONOutput {
        .object([
            "conditions": .object(
                ConditionName.ofMachine.map { name in
                    JSONOutput.Member(
                        name.word,
                        .object([
                            "value": .string(name.text(in: device.effective)),
                            "observed": .string(name.text(in: device.observed)),
                            "source": JSONOutput(device.sources[name]),
                            "overridden": .bool(device.overrides[name] != nil),
                            "since": JSONOutput(device.since[name]?.iso8601),
                            "next": JSONOutput(name.condition.next(device.effective)?.iso8601),
                        ]))
                })
        ])
    }
}

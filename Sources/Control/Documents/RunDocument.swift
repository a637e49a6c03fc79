package import JSON
package import TaskModel

/// A run as the API and every verb write it: absent values are `null`, never missing.
package enum RunDocument {
    package static func json(_ run: RunRecord) -> JSONOutput {
        .object(RunField.run.map { JSONOutput.Member($0.property.name, $0.json(run)) })
    }

    /// With everything that `show` adds.
    ///
    /// - Parameters:
    ///   - kept: bytes of its output that are kept.
    ///   - dropped: bytes of it that are not.
    ///   - payload: bytes that its handler got; nil: not known.
    ///   - settings: in place of the manifest's, as one line of JSON; nil: those held, or it is not known.
    package static func detailed(
        _ run: RunRecord, kept: Int, dropped: UInt64, payload: Int?, settings: String?
    ) -> JSONOutput {
        let events = run.events.map { event -> JSONOutput in
            [
                "event": .string(event.kind.name), "at": .string(event.at.iso8601),
                "because": JSONOutput(cause(of: event)),
            ]
        }
        let waits = run.waits.map { wait -> JSONOutput in
            [
                "gate": .string(wait.gate.name), "from": .string(wait.from.iso8601), "to": .string(wait.to.iso8601),
            ]
        }
        return json(run).adding("confinement", JSONOutput(run.confinement))
            .adding("memoryAtStart", JSONOutput(run.figures.memoryAtStart?.bytes))
            .adding("output", ["kept": .integer(Int64(kept)), "dropped": JSONOutput(dropped as UInt64?)])
            .adding("payload", JSONOutput(payload)).adding("settings", JSONOutput(settings))
            .adding("events", .array(events)).adding("waits", .array(waits))
    }

    /// What an event's detail means in words.
    package static func cause(of event: RunEvent) -> String? {
        switch event.kind {
        case .expired, .interrupted: Reason(rawValue: event.detail)?.name
        case .killed, .ended: Outcome(rawValue: event.detail)?.name
        case .submitted, .launched, .started, .completed: nil
        }
    }

    static func json(_ difference: RunDifference) -> JSONOutput {
        func number(_ value: Int64) -> JSONOutput {
            difference.kind == .larger ? .integer(value) : .double(TimeSpan(nanoseconds: value).seconds)
        }
        return [
            "is": .string(difference.kind.name), "figure": .string(difference.kind.figure),
            "value": number(difference.value), "usual": number(difference.usual), "text": .string(difference.sentence),
        ]
    }

    package static func result(_ value: ResultValue?) -> JSONOutput {
        switch value {
        case nil: .null
        case .integer(let number): JSONOutput(number as Int64?)
        case .unsigned(let number): JSONOutput(number as UInt64?)
        case .real(let number): number.isFinite ? JSONOutput(number as Double?) : .string("\(number)")
        case .boolean(let truth): .bool(truth)
        case .pointer(let isNull): isNull ? .null : .string("pointer")
        case .fetch(let fetched): .string(fetched.name)
        }
    }
}

import JSON
import Scheduling
import TaskModel

/// The document of a forecast.
struct ForecastDocument {
    let forecast: Forecast
    let setup: ForecastSetup
    let conditions: ExpectedConditions
    let start: Timestamp
    /// Only these identifiers; empty: all.
    let wanted: [String]
    /// Tasks whose runs would be refused as things are now, with the reason.
    let refused: [(identifier: String, sentence: String)]

    private func isWanted(_ identifier: String) -> Bool { wanted.isEmpty || wanted.contains(identifier) }

    private var runs: [Forecast.Run] { forecast.runs.filter { isWanted(identifier(of: $0)) } }

    private func identifier(of run: Forecast.Run) -> String {
        setup.identifiers[run.request.identity] ?? setup.tasks[run.task].definition.identifier
    }

    /// Identifiers that do not run, in the order of the manifests, and the gates of their requests: none without a
    /// request.
    private var waiting: [(identifier: String, application: String, gates: [GateReport])] {
        let started = Set(forecast.runs.map(\.request.identity))
        var list = setup.tasks.map { ($0.definition.identifier, $0.application, $0.identity) }
        // Those that a wildcard serves come after the tasks.
        let own = Set(setup.tasks.map(\.identity))
        for (identity, identifier) in setup.identifiers.sorted(by: { $0.value < $1.value })
        where !own.contains(identity) {
            let served = setup.tasks.first {
                IdentifierPattern.stands($0.definition.identifier, for: identifier)
            }
            list.append((identifier, served?.application ?? "", identity))
        }
        return list.filter { isWanted($0.0) && !started.contains($0.2) }
            .map { ($0.0, $0.1, gates(identity: $0.2)) }
    }

    /// The gate of its date shows the skipped time.
    private func gates(identity: Int64) -> [GateReport] {
        var gates = forecast.gates(identity: identity)
        if let time = setup.leftOut[identity]?.time,
            let place = gates.firstIndex(where: { $0.gate == .earliestBeginDate })
        {
            gates[place].found += "; \(time.iso8601) is left out"
        }
        return gates
    }

    /// The time of the schedule before the run that the user skipped.
    private func leftOut(before run: Forecast.Run) -> Timestamp? {
        let known = setup.leftOut[run.request.identity]
        return known?.submitted == run.request.submitted ? known?.time : nil
    }

    var json: JSONOutput {
        .object([
            "from": .string(start.iso8601),
            "until": .string(forecast.end.iso8601),
            "conditions": .string(conditions.source.rawValue),
            "covered": conditions.coveredDocument,
            "overridden": conditions.overridesDocument,
            "windows": conditions.edgesDocument,
            "complete": .bool(!forecast.isCut),
            "runs": .array(runs.map(document)),
            "waiting": .array(waiting.map { document($0.identifier, $0.application, $0.gates) }),
            "homeless": .array(setup.homeless.map(JSONOutput.string)),
            "refused": .array(
                refused.filter { isWanted($0.identifier) }.map {
                    ["identifier": .string($0.identifier), "fault": .string($0.sentence)]
                }),
        ])
    }

    private func document(_ run: Forecast.Run) -> JSONOutput {
        .object([
            "at": .string(run.start.iso8601),
            "identifier": .string(identifier(of: run)),
            "application": .string(setup.tasks[run.task].application),
            "kind": .string(run.request.kind.name),
            "origin": .string(run.request.terms.origin.name),
            "attempt": .integer(Int64(run.request.attempt)),
            "scheduledFor": JSONOutput(run.request.scheduledFor?.iso8601),
            "leftOut": JSONOutput(leftOut(before: run)?.iso8601),
            "earliestBeginDate": JSONOutput(run.request.terms.earliestBeginDate?.iso8601),
            "until": .string(run.end.iso8601),
            "stopped": JSONOutput(run.stopped?.name),
            "waits": .array(
                run.waits.map {
                    .object([
                        "gate": .string($0.gate.name), "from": .string($0.from.iso8601), "to": .string($0.to.iso8601),
                    ])
                }),
        ])
    }

    private func document(_ identifier: String, _ application: String, _ gates: [GateReport]) -> JSONOutput {
        .object([
            "identifier": .string(identifier),
            "application": .string(application),
            "summary": .string(summary(gates)),
            "gates": .array(
                gates.filter(\.holds).map {
                    .object([
                        "gate": .string($0.gate.name), "found": .string($0.found), "opens": .string($0.opens),
                        "next": JSONOutput($0.next?.iso8601),
                    ])
                }),
        ])
    }

    private func summary(_ gates: [GateReport]) -> String {
        guard !gates.isEmpty else { return "no schedule, and no request is pending" }
        let held = gates.filter(\.holds)
        guard !held.isEmpty else { return "nothing: it is about to start" }
        return held.map { gate in
            "\(gate.gate.name): \(gate.found)" + (gate.opens.isEmpty ? "" : "; opens by \(gate.opens)")
                + (gate.gate == .window ? gate.next.map { ", \($0.iso8601)" } ?? "" : "")
        }.joined(separator: ", ")
    }
}

package import JSON
import Linux
import TaskModel

/// The words that documents of the API have for outcomes, kinds, gates, conditions and states, with what each means. A page that
/// asks for them needs no list of its own.
package enum WordsDocument {
    package static let json: JSONOutput = [
        "outcomes": list(Outcome.allCases) { outcome in
            [
                "outcome": .string(outcome.name), "exitStatus": .integer(Int64(outcome.exitStatus)),
                "isFailure": .bool(outcome.isFailure), "tone": .string(outcome.row.tone.name),
                "symbol": .string(outcome.row.symbol), "meaning": .string(outcome.row.meaning),
            ]
        },
        "kinds": list(TaskKind.allCases) { kind in
            [
                "kind": .string(kind.name), "isDeclarable": .bool(TaskKind.declarable.contains(kind)),
                "meaning": .string(kind.row.meaning),
            ]
        },
        "gates": list(Gate.allCases) { gate in
            ["gate": .string(gate.name), "symbol": .string(gate.symbol), "meaning": .string(gate.meaning)]
        },
        "conditions": list(Condition.ofMachine) { condition in
            [
                "condition": .string(condition.name.word), "gate": .string(condition.gate.name),
                "values": list(condition.values.words, JSONOutput.string), "meaning": .string(condition.meaning),
            ]
        },
        "applicationStates": list(ApplicationState.allCases) { .string($0.name) },
        "transferStates": list(TransferState.allCases) { state in
            ["state": .string(state.name), "isOpen": .bool(state.isOpen)]
        },
        "signals": list(Array(1...31)) { number in
            ["signal": .integer(Int64(number)), "name": JSONOutput(Signal.name(Int32(number)))]
        },
    ]

    private static func list<Word>(_ words: [Word], _ row: (Word) -> JSONOutput) -> JSONOutput {
        .array(words.map(row))
    }
}

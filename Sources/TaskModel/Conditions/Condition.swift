/// One thing that work can be made to wait for: the row from which its gate, its words, the manifest's key, reports, the
/// control API and the tables of the documents follow.
package final class Condition: Sendable {
    package let name: ConditionName
    package let gate: Gate
    /// How its value is stored and written; without words: it belongs to each task, not to the machine.
    package let values: ConditionValues
    /// Kinds whose requests depend on it without asking for it. They run while it is unknown.
    package let minders: KindSet
    /// How a manifest requires it; nil: it cannot.
    package let requirement: RequirementForm?
    /// The condition that includes this requirement; nil: itself.
    package let requiredWith: ConditionName?
    /// The reason for a run that has lost it; nil: it ends no run.
    package let reason: Reason?
    /// The page's symbol for it and for its gate.
    package let symbol: String
    /// Its meaning while its gate is open, for documents.
    package let meaning: String
    /// Its source, and how changes are detected, for documents.
    package let source: String
    package let changes: String
    /// It keeps a request from running that needs `level` of it, 0: that is only considerate.
    package let holds: @Sendable (DeviceConditions, _ level: UInt64) -> Bool
    /// It ends a run that needs `level`. An unknown value ends none: a source may restart.
    package let isLost: @Sendable (DeviceConditions, _ level: UInt64) -> Bool
    /// The observed value, in words; nil: it is unknown.
    package let found: @Sendable (DeviceConditions) -> String?
    /// What would open its gate.
    package let opens: @Sendable (_ level: UInt64) -> String
    /// When it changes without an event; nil: only with one.
    package let next: @Sendable (DeviceConditions) -> Timestamp?

    package init(
        _ name: ConditionName, gate: Gate, values: ConditionValues, minders: KindSet = [],
        requirement: RequirementForm? = nil, requiredWith: ConditionName? = nil, reason: Reason? = nil,
        symbol: String = Gate.plainSymbol, meaning: String, source: String, changes: String,
        holds: @escaping @Sendable (DeviceConditions, UInt64) -> Bool,
        isLost: @escaping @Sendable (DeviceConditions, UInt64) -> Bool = { _, _ in false },
        found: @escaping @Sendable (DeviceConditions) -> String?, opens: @escaping @Sendable (UInt64) -> String,
        next: @escaping @Sendable (DeviceConditions) -> Timestamp? = { _ in nil }
    ) {
        self.name = name
        self.gate = gate
        self.values = values
        self.minders = minders
        self.requirement = requirement
        self.requiredWith = requiredWith
        self.reason = reason
        self.symbol = symbol
        self.meaning = meaning
        self.source = source
        self.changes = changes
        self.holds = holds
        self.isLost = isLost
        self.found = found
        self.opens = opens
        self.next = next
    }

    /// One value applies to all; else each task has its own.
    package var isOfMachine: Bool { !values.words.isEmpty }

    /// Rows of the machine's conditions.
    package static let ofMachine = all.filter(\.isOfMachine)

    /// Every row, in the order of `ConditionName`.
    package static let all: [Condition] = ConditionName.allCases.map(row)

    /// The row of a gate; nil: the gate belongs to no condition.
    package static func of(_ gate: Gate) -> Condition? { byGate[gate] }

    private static let byGate = Dictionary(all.map { ($0.gate, $0) }) { first, _ in first }

    /// Whether it is the gate of a condition that each task has for itself.
    package static func isOfTasks(_ gate: Gate) -> Bool { gatesOfTasks & (1 << UInt64(gate.rawValue)) != 0 }

    private static let gatesOfTasks = all.reduce(UInt64(0)) { mask, condition in
        condition.isOfMachine ? mask : mask | 1 << UInt64(condition.gate.rawValue)
    }

    /// The form in which it is required, alone or with another condition.
    private var asked: (name: ConditionName, form: RequirementForm)? {
        let name = requiredWith ?? name
        return name.condition.requirement.map { (name, $0) }
    }

    /// Kinds of which some request may mind it.
    package var kinds: KindSet { minders.union(asked?.form.kinds ?? []) }

    /// How much of it a request of that kind needs; 0: it is only considerate; nil: it does not mind.
    package func level(for kind: TaskKind, _ requirements: Requirements) -> UInt64? {
        if let asked, asked.form.kinds.contains(kind), requirements[asked.name] > 0 {
            return asked.form.isWaiver ? nil : requirements[asked.name]
        }
        return minders.contains(kind) ? 0 : nil
    }
}

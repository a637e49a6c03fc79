/// One part of `DeviceConditions`, by the word that `device set`, the control API and device traces use for it.
package enum ConditionName: String, CaseIterable, Sendable {
    case power
    case battery
    case lowPower
    case network
    case user
    case cpu
    case memory
    case thermal
    case refresh
    case unlocked
    case disk

    /// Its place among all. A case without payload is stored as its place, in one byte.
    package var index: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

    /// Its row in the table.
    package var condition: Condition { Condition.all[index] }

    /// The values it may have, for help and for errors.
    package var values: [String] { condition.values.words }

    /// The word for what it is.
    package func text(in conditions: DeviceConditions) -> String { condition.values.text(conditions) }

    /// Sets it to what the word says; false for a word that is none of `values`.
    package func set(_ word: String, in conditions: inout DeviceConditions) -> Bool {
        condition.values.set(word, &conditions)
    }
}

/// One condition, by its word. Those of the machine are the parts of `DeviceConditions`, which `device set`, the control
/// API and device traces know by it.
package enum ConditionName: Int, CaseIterable, Sendable {
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
    case sleep
    case window
    /// Of each task, as are those behind it: files exist.
    case paths
    /// Files have changed.
    case changed

    /// Those of the machine.
    package static let ofMachine = allCases.filter { $0.condition.isOfMachine }

    /// Its place among all.
    package var index: Int { rawValue }

    package var word: String { Self.words[index] }

    package init?(_ word: String) {
        guard let index = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: index)
    }

    /// By place; made once, for every row of the device's log is read by its word.
    private static let words = allCases.map { String(describing: $0) }

    /// Its row in the table.
    package var condition: Condition { Condition.all[index] }

    /// The values it may have, for help and for errors.
    package var values: [String] { condition.values.words }

    /// The word for its value.
    package func text(in conditions: DeviceConditions) -> String { condition.values.text(conditions) }

    /// Sets it to the value of the word; false for a word that is not in `values`.
    package func set(_ word: String, in conditions: inout DeviceConditions) -> Bool {
        condition.values.set(word, &conditions)
    }
}

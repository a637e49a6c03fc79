/// How the value of a condition is kept in `DeviceConditions`, and the words for it.
package struct ConditionValues: Sendable {
    /// The words it may have, for help, errors, documents and the page: the best first, `unknown` last.
    package let words: [String]
    let text: @Sendable (DeviceConditions) -> String
    /// False for a word that is not in `words`.
    let set: @Sendable (String, inout DeviceConditions) -> Bool

    /// One of some values, each with its word.
    static func words<Value: Equatable & Sendable>(
        _ part: any WritableKeyPath<DeviceConditions, Value> & Sendable, _ words: [(word: String, value: Value)]
    ) -> ConditionValues {
        ConditionValues(
            words: words.map(\.word),
            text: { conditions in words.first { $0.value == conditions[keyPath: part] }?.word ?? "" },
            set: { word, conditions in
                guard let value = words.first(where: { $0.word == word })?.value else { return false }
                conditions[keyPath: part] = value
                return true
            })
    }

    /// The same for one with a scheduled change: a word removes that, because it holds until another one is set.
    static func words<Value: Equatable & Sendable>(
        _ part: any WritableKeyPath<DeviceConditions, Value> & Sendable, _ words: [(word: String, value: Value)],
        clearing edge: any WritableKeyPath<DeviceConditions, Timestamp?> & Sendable
    ) -> ConditionValues {
        let plain = Self.words(part, words)
        return ConditionValues(
            words: plain.words, text: plain.text,
            set: { word, conditions in
                guard plain.set(word, &conditions) else { return false }
                conditions[keyPath: edge] = nil
                return true
            })
    }

    /// One of some steps, written by their names.
    static func steps<Step: Equatable & Sendable>(
        _ part: any WritableKeyPath<DeviceConditions, Step> & Sendable, _ steps: [Step]
    ) -> ConditionValues {
        words(part, steps.map { (String(describing: $0), $0) })
    }

    /// Of a condition that each task has for itself.
    static let none = ConditionValues(words: [], text: { _ in "" }, set: { _, _ in false })

    /// Percent of a battery.
    static let charge = ConditionValues(
        words: ["0…100", "none"],
        text: { $0.batteryLevel.map { String($0) } ?? "none" },
        set: { word, conditions in
            let level = UInt8(word)
            guard word == "none" || level.map({ $0 <= 100 }) == true else { return false }
            conditions.batteryLevel = level
            return true
        })
}

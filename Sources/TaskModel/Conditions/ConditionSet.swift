/// Some conditions.
package struct ConditionSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package init(_ name: ConditionName) { rawValue = 1 << UInt32(name.index) }
    package init(_ names: some Sequence<ConditionName>) {
        rawValue = names.reduce(0) { $0 | ConditionSet($1).rawValue }
    }

    package func contains(_ name: ConditionName) -> Bool { contains(ConditionSet(name)) }

    package var names: [ConditionName] { ConditionName.allCases.filter(contains) }
}

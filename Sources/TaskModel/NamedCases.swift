/// An enumeration whose cases' names are what people and documents read: JSON, messages, options.
package protocol NamedCases: CaseIterable {}

extension NamedCases {
    /// The case's name, as it is written in the source.
    package var name: String { String(describing: self) }

    /// nil: no case has that name.
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

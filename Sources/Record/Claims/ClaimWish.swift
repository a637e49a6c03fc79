/// What a host can start.
package struct ClaimWish: Sendable, Equatable {
    /// Concrete identifiers of tasks that it installs and could start now. No other is claimed for it.
    package var identifiers: Set<String>
    /// It holds so many leases at most: those that it has count, also those of which it does not know yet.
    package var most: Int

    package init(_ identifiers: Set<String>, most: Int) {
        self.identifiers = identifiers
        self.most = most
    }

    package static let none = ClaimWish([], most: 0)
}

/// A key of a manifest's `permissions`.
package enum Permission: String, CaseIterable, Comparable, Sendable {
    case read
    case write
    case execute
    case network
    case sockets
    case ping
    case attributes

    /// Its value in a manifest is `true`, and not a list of places.
    package var isFlag: Bool { self == .attributes || self == .ping }

    package static func < (a: Permission, b: Permission) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// A key of a manifest's `permissions`.
package enum Permission: String, CaseIterable, Comparable, Sendable {
    case read
    case write
    case execute
    case network
    case sockets
    case attributes

    package static func < (a: Permission, b: Permission) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

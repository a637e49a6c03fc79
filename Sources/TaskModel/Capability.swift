/// A capability that a root application may be granted (capabilities(7)), by its manifest's word. The others would be of no use: the
/// filter refuses the calls that they allow.
package enum Capability: String, CaseIterable, Sendable {
    case chown
    case dacOverride = "dac_override"
    case dacReadSearch = "dac_read_search"
    case fowner
    case kill
    case setgid
    case setuid

    /// The kernel's number (linux/capability.h).
    package var number: UInt32 {
        switch self {
        case .chown: 0
        case .dacOverride: 1
        case .dacReadSearch: 2
        case .fowner: 3
        case .kill: 5
        case .setgid: 6
        case .setuid: 7
        }
    }
}

import Glibc

/// Under what a host may run: as root, when every worker has its own user or is a user of the machine, or as an
/// ordinary user, on this kernel or one whose Landlock is older.
enum ConfinementSituation: String, CaseIterable, Sendable {
    case root
    case rootWithNetwork
    case account
    case accountWithFirstLandlock
    case user
    case userWithNetwork
    case userWithFirstLandlock
    case userWithFourthLandlock

    /// Those that the test can take on: only root can become another user.
    static var possible: [ConfinementSituation] {
        geteuid() == 0 ? allCases : allCases.filter { !$0.needsRoot }
    }

    /// Every worker has its own user.
    var isRoot: Bool { self == .root || self == .rootWithNetwork }
    private var needsRoot: Bool { isRoot || isAccount }
    private var isAccount: Bool { self == .account || self == .accountWithFirstLandlock }
    var hasNetwork: Bool { self == .rootWithNetwork || self == .userWithNetwork }

    var options: [String] {
        // "nobody": a user that every system has.
        let user = geteuid() == 0 && !needsRoot ? ["--as", "65534"] : []
        return switch self {
        case .root, .user: user
        case .account: ["--account", "65534"]
        case .accountWithFirstLandlock: ["--account", "65534", "--abi", "1"]
        case .rootWithNetwork, .userWithNetwork: user + ["--network"]
        case .userWithFirstLandlock: user + ["--abi", "1"]
        case .userWithFourthLandlock: user + ["--abi", "4"]
        }
    }
}

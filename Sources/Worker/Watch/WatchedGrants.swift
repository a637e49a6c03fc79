import Confining
import Linux

/// What a confined program may do with files anyway: that is no news.
struct WatchedGrants {
    private let grants: [SystemGrants.Grant]

    /// What every one may do with files of the system.
    init() { self.init(SystemGrants(runtime: nil).ofPrograms) }

    /// The same, and what rules of its own grant.
    init(_ granted: [SystemGrants.Grant]) {
        grants = granted.map {
            SystemGrants.Grant(path: FileSystem.realPath($0.path) ?? $0.path, access: $0.access)
        }
    }

    /// - Parameter place: without links.
    func cover(_ place: String, _ access: LandlockAccess) -> Bool {
        grants.contains { $0.access.isSuperset(of: access) && GrantResolver.lies(place, in: $0.path) }
    }
}

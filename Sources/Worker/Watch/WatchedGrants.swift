import Confining
import Linux

/// What every confined program may do with files of the system: that is no news.
struct WatchedGrants {
    private let grants: [SystemGrants.Grant]

    init() {
        let system = SystemGrants()
        grants = (system.always + system.forPrograms).map {
            SystemGrants.Grant(path: FileSystem.realPath($0.path) ?? $0.path, access: $0.access)
        }
    }

    /// - Parameter place: without links.
    func cover(_ place: String, _ access: LandlockAccess) -> Bool {
        grants.contains { $0.access.isSuperset(of: access) && GrantResolver.lies(place, in: $0.path) }
    }
}

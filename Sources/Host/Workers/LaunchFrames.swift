/// The frames for launches of one application, created once.
struct LaunchFrames {
    var launch: [UInt8]
    /// The tasks, and the empty frame that ends them.
    var tasks: [[UInt8]]
    var placements: UInt32
    /// Limits that this machine cannot enforce for it; empty unless it has `bestEffort`.
    var degraded: [String]
    /// The addresses of the names in its network grants.
    var hosts: [String] = []
    /// $STATE and $CACHE.
    var folders: [String] = []
    /// What confinement refuses is told.
    var explains = false
    /// Its workers come from the launcher.
    var isFromLauncher = false
    /// The user of its workers; 0: the host's.
    var user: UInt32
}

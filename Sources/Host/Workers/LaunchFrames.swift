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
    /// A broker tells of what confinement refuses its programs.
    var explains = false
    /// Its workers come from the launcher.
    var hasBroker = false
    /// The user of its workers; 0: the host's.
    var user: UInt32
}

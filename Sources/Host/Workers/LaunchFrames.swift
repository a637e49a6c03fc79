/// What a launch of one application sends, made once.
struct LaunchFrames {
    var launch: [UInt8]
    /// The tasks, and the empty frame that ends them.
    var tasks: [[UInt8]]
    var placements: UInt32
    /// Limits that this machine cannot enforce for it; empty unless it said `bestEffort`.
    var degraded: [String]
    /// What the names of its network grants stood for.
    var hosts: [String] = []
    /// $STATE and $CACHE.
    var folders: [String] = []
    /// Who its workers are.
    var user: UInt32
}

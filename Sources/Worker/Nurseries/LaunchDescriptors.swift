import Wire

/// The descriptors that came with a launch, by their meaning.
struct LaunchDescriptors {
    var wire: Int32
    var log: Int32
    var errors: Int32
    var library: Int32?
    /// A cgroup-2 folder.
    var cgroup: Int32?
    /// Opened `cgroup.procs` files of version-1 hierarchies.
    var placements: [Int32]

    /// nil when their number differs from the plan's.
    init?(_ received: [Int32], plan: LaunchPlan) {
        let count = 3 + (plan.sendsLibrary ? 1 : 0) + Int(plan.placements & 1) + Int(plan.placements >> 8)
        guard received.count == count else { return nil }
        var rest = received[...]
        wire = rest.removeFirst()
        log = rest.removeFirst()
        errors = rest.removeFirst()
        library = plan.sendsLibrary ? rest.removeFirst() : nil
        cgroup = plan.placements & 1 != 0 ? rest.removeFirst() : nil
        placements = Array(rest)
    }
}

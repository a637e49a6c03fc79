import Linux

/// The folders of one host in the cgroup hierarchies, one a worker.
///
/// Thread: the host's loop thread only. Nothing is removed automatically: `remove()` does that.
package final class ControlGroups {
    /// The tier in use.
    package let tier: ControlTier
    /// Why each better tier was not taken, best first.
    package let shortfalls: [ControlGroupError]

    let name: String
    let layout: CgroupLayout
    /// The host's own folder in each hierarchy in use; co-mounted controllers share one.
    private let parents: [Hierarchy: CgroupFolder]
    /// What each controller that could not be had lacks.
    private let missing: [Hierarchy: String]
    /// The changes of tier `unified` above the parent, for `remove` to revert.
    private let delegation: Delegation?
    private var serial: UInt64 = 0

    init(
        tier: ControlTier, name: String, layout: CgroupLayout, parents: [Hierarchy: CgroupFolder],
        missing: [Hierarchy: String], delegation: Delegation?, shortfalls: [ControlGroupError]
    ) {
        self.tier = tier
        self.name = name
        self.layout = layout
        self.parents = parents
        self.missing = missing
        self.delegation = delegation
        self.shortfalls = shortfalls
    }

    // MARK: Capabilities

    /// How a worker's budget is enforced here.
    package func enforces(_ resource: ControlledResource) -> Enforcer {
        switch resource {
        case .memory: tier == .unified || parents[.memory] != nil ? .kernel : .meter
        case .processes: tier == .unified || parents[.pids] != nil ? .kernel : .impossible
        case .cpu: parents[.unified] != nil || parents[.cpuacct] != nil ? .kernel : .meter
        case .killTree: parents[.unified] != nil || parents[.freezer] != nil ? .kernel : .meter
        }
    }

    /// Groups are of cgroup 2, where BPF programs can restrict connections, with any controllers.
    package var holdsConnections: Bool { parents[.unified] != nil }

    /// The sentence for a run that is refused, or marked as degraded, because the kernel does not enforce its limit
    /// here; nil when it does.
    package func refusal(of resource: ControlledResource) -> String? {
        guard enforces(resource) != .kernel else { return nil }
        let (what, hierarchy): (String, Hierarchy) =
            switch resource {
            case .memory: ("memory limit", .memory)
            case .processes: ("limit on processes", .pids)
            case .cpu: ("CPU time limit on child processes", .unified)
            case .killTree: ("end of processes that leave their group", .unified)
            }
        let reason = missing[hierarchy] ?? shortfalls.first.map(Self.missingText) ?? "no cgroups are used"
        return "\(what) cannot be enforced: \(reason); run with cgroup delegation (systemd-run --user --scope -p "
            + "Delegate=yes taskhost …) or set \"enforcement\": \"bestEffort\""
    }

    private static func missingText(_ error: ControlGroupError) -> String {
        if case .unavailable(_, let missing) = error { missing } else { error.description }
    }

    // MARK: Groups

    /// The host's folders. A host that remembers them can hand them to the `emptyLeftovers` of its successor, which may
    /// start elsewhere in the hierarchy.
    package var parentFolders: [String] { parents.unique.map(\.path) }

    /// Makes the folders for a worker of `application`.
    package func make(_ application: String) throws(ControlGroupError) -> ControlGroup {
        do throws(SystemError) {
            for _ in 0..<100 {
                serial += 1
                if let group = try makeOnce(GroupName.make(application, serial: serial)) { return group }
            }
            throw SystemError("mkdir", code: .EEXIST, object: name)
        } catch {
            throw .failed(error)
        }
    }

    /// Nil when a folder of that name is there already.
    private func makeOnce(_ child: String) throws(SystemError) -> ControlGroup? {
        var made: [CgroupFolder] = []
        var folders: [Hierarchy: CgroupFolder] = [:]
        do throws(SystemError) {
            for parent in parents.unique {
                let folder = try CgroupFolder(making: "\(parent.path)/\(child)", in: parent.hierarchy, reusing: false)
                made.append(folder)
                for (hierarchy, other) in parents where other === parent { folders[hierarchy] = folder }
            }
            return try ControlGroup(name: child, tier: tier, folders: folders)
        } catch {
            for folder in made { _ = folder.remove() }  // ours and empty
            if error.code == .EEXIST { return nil }
            throw error
        }
    }

    /// Removes the host's folders and undoes what tier `unified` set up around them. Remove every group first.
    ///
    /// - Returns: true when all folders have been removed.
    @discardableResult
    package func remove() -> Bool {
        var gone = true
        for parent in parents.unique where !parent.remove() { gone = false }
        if gone { delegation?.undo() }
        return gone
    }

}

import Linux

extension CgroupLayout {
    /// The layout of this process; empty where `/proc` cannot be read.
    package static func current() -> CgroupLayout {
        CgroupLayout(
            cgroup: (try? FileText.read("/proc/self/cgroup")) ?? "",
            mountInfo: (try? FileText.read("/proc/self/mountinfo", limit: 8 << 20)) ?? "")
    }
}

/// Finds the best tier by trying it: creates folders, opens files, enables controllers.
extension ControlGroups {
    /// Takes the best tier that works, and makes the host's folder in each hierarchy that it uses: below the folder that
    /// the process is in, never above it.
    ///
    /// - Parameters:
    ///   - name: of the host's folders; the same for every start of the same host, and no other's. Letters, digits, dots,
    ///     hyphens, underscores.
    ///   - forced: the one tier to take, for tests and for configuration.
    /// - Throws: only with `forced`: `unavailable`, saying what is missing.
    package static func probe(
        name: String, forced: ControlTier? = nil, layout: CgroupLayout = .current()
    ) throws(ControlGroupError) -> ControlGroups {
        precondition(GroupName.isValidParent(name), "the name of a host's cgroup folder must be plain")
        if let forced { return try open(forced, name, layout, shortfalls: []) }
        var shortfalls: [ControlGroupError] = []
        for tier in ControlTier.allCases {
            do throws(ControlGroupError) {
                return try open(tier, name, layout, shortfalls: shortfalls)
            } catch {
                shortfalls.append(error)
            }
        }
        return ControlGroups(
            tier: .none, name: name, layout: layout, parents: [:], missing: [:], delegation: nil,
            shortfalls: shortfalls)
    }

    private static func open(
        _ tier: ControlTier, _ name: String, _ layout: CgroupLayout, shortfalls: [ControlGroupError]
    ) throws(ControlGroupError) -> ControlGroups {
        let site = Site(tier: tier, name: name, layout: layout)
        var parents: [Hierarchy: CgroupFolder] = [:]
        var missing: [Hierarchy: String] = [:]
        var delegation: Delegation?
        let (needed, welcome): ([Hierarchy], [Hierarchy]) =
            switch tier {
            case .unified: ([.unified], [])
            case .hybrid: ([.unified], [.memory, .pids])
            case .legacy: ([.freezer, .cpuacct], [.memory, .pids])
            case .none: ([], [])
            }
        do throws(ControlGroupError) {
            if tier == .unified { delegation = try site.delegate() }
            for hierarchy in needed { parents[hierarchy] = try site.parent(in: hierarchy, beside: parents) }
        } catch {
            for parent in parents.values { _ = parent.remove() }
            delegation?.undo()
            throw error
        }
        for hierarchy in welcome {
            do throws(ControlGroupError) {
                parents[hierarchy] = try site.parent(in: hierarchy, beside: parents)
            } catch {
                if case .unavailable(_, let text) = error { missing[hierarchy] = text }
            }
        }
        return ControlGroups(
            tier: tier, name: name, layout: layout, parents: parents, missing: missing, delegation: delegation,
            shortfalls: shortfalls)
    }

    /// Where and for what a tier is probed.
    private struct Site {
        let tier: ControlTier
        let name: String
        let layout: CgroupLayout

        private func unavailable(_ text: String) -> ControlGroupError { .unavailable(tier, missing: text) }

        private func own(_ hierarchy: Hierarchy) throws(ControlGroupError) -> String {
            guard let folder = layout.folders[hierarchy] else {
                throw unavailable(
                    hierarchy == .unified
                        ? "no cgroup 2 that holds this process is mounted"
                        : "no cgroup 1 hierarchy for \(hierarchy.rawValue) that holds this process is mounted")
            }
            return hierarchy == .unified ? Delegation.base(of: folder, name: name) : folder
        }

        func delegate() throws(ControlGroupError) -> Delegation {
            let path = try own(.unified)
            let base: CgroupFolder
            do throws(SystemError) {
                base = try CgroupFolder(opening: path, in: .unified)
            } catch {
                throw unavailable("\(error)")
            }
            return try Delegation(base, name: name)
        }

        /// Makes the host's folder and tries out a child in it.
        func parent(in hierarchy: Hierarchy, beside others: [Hierarchy: CgroupFolder]) throws(ControlGroupError)
            -> CgroupFolder
        {
            let path = try "\(own(hierarchy))/\(name)"
            if let shared = others.values.first(where: { $0.path == path }) { return shared }
            do throws(SystemError) {
                let folder = try CgroupFolder(making: path, in: hierarchy, reusing: true)
                do throws(SystemError) {
                    if tier == .unified { try folder.write("+memory +pids", to: "cgroup.subtree_control") }
                    try tryOut(folder)
                } catch {
                    _ = folder.remove()  // stays when an earlier host's folders are in it
                    throw error
                }
                return folder
            } catch {
                throw unavailable("\(error)")
            }
        }

        private func tryOut(_ parent: CgroupFolder) throws(SystemError) {
            let child = try CgroupFolder(making: "\(parent.path)/0-probe", in: parent.hierarchy, reusing: true)
            defer { _ = child.remove() }
            for file in Self.files(of: parent.hierarchy, tier) { _ = try child.open(file, .O_WRONLY) }
            if parent.hierarchy == .unified {
                _ = try child.open("cpu.stat", .O_RDONLY)
                _ = try child.open("cgroup.events", .O_RDONLY)
                // Moving a process requires write access to the folder that it leaves too, or to one above both.
                let own = layout.folders[.unified] ?? ""
                _ = try Descriptor.open("\(own)/cgroup.procs", .O_WRONLY)
            }
        }

        /// The control files that a child must let us write.
        private static func files(of hierarchy: Hierarchy, _ tier: ControlTier) -> [String] {
            let own: [String] =
                switch hierarchy {
                case .unified:
                    tier == .unified ? ["cgroup.freeze", "memory.max", "pids.max"] : ["cgroup.freeze"]
                case .memory: ["memory.limit_in_bytes"]
                case .pids: ["pids.max"]
                case .freezer: ["freezer.state"]
                case .cpuacct: ["cpuacct.usage"]
                }
            return own + ["cgroup.procs"]
        }
    }
}

import Linux
import TaskModel

/// Ending what an earlier host of the same name left behind: the death signal of a worker does not reach its children.
extension ControlGroups {
    /// How long the processes of a leftover folder may take to end.
    private static let patience = TimeSpan.seconds(5)
    /// Folders below a worker's own are the work of a worker that ran as root.
    private static let deepest = 8

    /// Freezes, kills and removes everything in this host's folders in every hierarchy, used by this tier or not. Call
    /// it before the first `make`. Blocks until it is done, which takes milliseconds unless a process cannot end.
    ///
    /// - Parameter recorded: `parentFolders` of the earlier host, which may have been elsewhere in the hierarchies. A path
    ///   that is not a cgroup folder of this name is ignored.
    /// - Throws: `notEmptied` when processes did not end; the rest has been cleared even so.
    package func emptyLeftovers(recorded: [String] = []) throws(ControlGroupError) {
        let sites = sites(and: recorded)
        let kept = Set(parentFolders)
        var failure: ControlGroupError?
        for site in sites {
            guard let folder = try? CgroupFolder(opening: site.path, in: site.hierarchy) else { continue }
            for child in Self.children(of: folder) {
                do throws(ControlGroupError) { try Self.clear(child, depth: 0) } catch { failure = failure ?? error }
            }
            if !kept.contains(site.path) { _ = folder.remove() }
        }
        if let failure { throw failure }
    }

    /// Every folder of this name, in the order of emptying.
    private func sites(and recorded: [String]) -> [(path: String, hierarchy: Hierarchy)] {
        let recorded = recorded.filter { layout.isInside($0) && $0.hasSuffix("/\(name)") }
            .map { (path: $0, hierarchy: layout.hierarchy(at: $0)) }
        return Hierarchy.allCases.flatMap { hierarchy in
            let base = layout.folders[hierarchy].map { Delegation.base(of: $0, name: name) }
            let own = base.map { [(path: "\($0)/\(name)", hierarchy: hierarchy)] } ?? []
            return own + recorded.filter { $0.hierarchy == hierarchy }
        }
    }

    private static func children(of folder: CgroupFolder) -> [CgroupFolder] {
        let names = (try? Folder.children(of: folder.path)) ?? []
        return names.compactMap { try? CgroupFolder(opening: "\(folder.path)/\($0)", in: folder.hierarchy) }
    }

    private static func clear(_ folder: CgroupFolder, depth: Int) throws(ControlGroupError) {
        let deadline = Clock.monotonic() + UInt64(patience.nanoseconds)
        while folder.isPopulated && Clock.monotonic() < deadline {
            folder.kill()
            _ = folder.wait(atMost: .milliseconds(20)) { !$0.isPopulated }
        }
        if depth < deepest {
            for child in children(of: folder) { try clear(child, depth: depth + 1) }
        }
        guard folder.remove() else {
            throw .notEmptied(folder: folder.path, alive: folder.processes().count)
        }
    }
}

extension CgroupLayout {
    /// Whether `path` is below a cgroup mount, without steps upward.
    func isInside(_ path: String) -> Bool {
        !path.split(separator: "/").contains("..") && mountPoints.contains { path.hasPrefix($0 + "/") }
    }

    /// The hierarchy of a path inside a mount. Version 1 is recognized by its files, and one without a freezer is
    /// emptied with signals alone, like that of any other controller.
    func hierarchy(at path: String) -> Hierarchy {
        guard let folder = try? CgroupFolder(opening: path, in: .memory) else { return .memory }
        if folder.has("cgroup.events") { return .unified }
        return folder.has("freezer.state") ? .freezer : .memory
    }
}

import Linux

/// What tier `unified` sets up in the folder that was delegated to the host: cgroup 2 allows controllers below a folder
/// only while no process is in that folder itself (cgroups(7), "no internal processes"), so the host moves to a leaf.
package final class Delegation {
    private let base: CgroupFolder
    private var leaf: CgroupFolder?
    private var enabled: [String] = []
    static let controllers = ["memory", "pids"]
    static let leafSuffix = ".host"

    /// The place for the host's folders when the process is in `own`: next to the leaf of an earlier start of the same
    /// host, when it is in that (after `execve`), else in `own`.
    static func base(of own: String, name: String) -> String {
        let leaf = "/\(name)\(leafSuffix)"
        return own.hasSuffix(leaf) ? String(own.dropLast(leaf.count)) : own
    }

    /// Makes memory and pids controllers available below `folder`.
    ///
    /// - Throws: what is missing, in words; everything is unchanged then.
    init(_ folder: CgroupFolder, name: String) throws(ControlGroupError) {
        base = folder
        let offered = Self.words(try? folder.read("cgroup.controllers"))
        let lacking = Self.controllers.filter { !offered.contains($0) }
        guard lacking.isEmpty else {
            throw .unavailable(
                .unified,
                missing: "cgroup 2 offers no \(lacking.joined(separator: " and ")) controller in \(folder.path)")
        }
        let present = Self.words(try? folder.read("cgroup.subtree_control"))
        let wanted = Self.controllers.filter { !present.contains($0) }
        guard !wanted.isEmpty else { return }
        do throws(SystemError) {
            do throws(SystemError) {
                try enable(wanted)
            } catch {
                guard error.code == .EBUSY else { throw error }
                guard folder.processes() == [ThisProcess.pid] else {
                    throw SystemError("share \(folder.path) with other processes", code: .EBUSY)
                }
                let leaf = try CgroupFolder(
                    making: "\(folder.path)/\(name)\(Self.leafSuffix)", in: .unified, reusing: true)
                self.leaf = leaf
                try leaf.write("0", to: "cgroup.procs")
                try enable(wanted)
            }
        } catch {
            undo()
            throw .unavailable(.unified, missing: "controllers cannot be passed on: \(error)")
        }
    }

    private func enable(_ controllers: [String]) throws(SystemError) {
        try base.write(controllers.map { "+\($0)" }.joined(separator: " "), to: "cgroup.subtree_control")
        enabled = controllers
    }

    /// Reverts everything, unless others depend on it.
    func undo() {
        if !enabled.isEmpty {
            // Fails with EBUSY while another folder below uses them; then they stay.
            try? base.write(enabled.map { "-\($0)" }.joined(separator: " "), to: "cgroup.subtree_control")
            enabled = []
        }
        if let leaf {
            // Only possible once no controller is passed on; else the host stays in its leaf.
            try? base.write("0", to: "cgroup.procs")
            _ = leaf.remove()
        }
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    }
}

import Glibc
import Linux
import Testing
import Workers

@Suite("Choosing a tier")
struct ProbeTests {
    /// A folder that is no cgroup, for the faults that this machine does not have.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = "/tmp/\(uniqueName())"
        try #require(mkdir(path, 0o700) == 0)
        defer { remove(path) }
        try body(path)
    }

    private func remove(_ path: String) {
        for child in (try? Folder.children(of: path)) ?? [] { remove("\(path)/\(child)") }
        for file in ["cgroup.controllers", "cgroup.subtree_control", "cgroup.procs"] { unlink("\(path)/\(file)") }
        rmdir(path)
    }

    private func layout(unified path: String) -> CgroupLayout {
        CgroupLayout(cgroup: "0::/\n", mountInfo: "35 29 0:28 / \(path) rw - cgroup2 cgroup2 rw\n")
    }

    @Test("Without any cgroup mount the last tier is taken, and each better one says what it lacks")
    func nothingMounted() throws {
        let groups = try ControlGroups.probe(name: uniqueName(), layout: CgroupLayout(cgroup: "", mountInfo: ""))
        #expect(groups.tier == .none)
        #expect(
            groups.shortfalls == [
                .unavailable(.unified, missing: "no cgroup 2 that holds this process is mounted"),
                .unavailable(.hybrid, missing: "no cgroup 2 that holds this process is mounted"),
                .unavailable(.legacy, missing: "no cgroup 1 hierarchy for freezer that holds this process is mounted"),
            ])
        #expect(groups.parentFolders.isEmpty)
        #expect(groups.enforces(.memory) == .meter)
        #expect(groups.enforces(.cpu) == .meter)
        #expect(groups.enforces(.killTree) == .meter)
        #expect(groups.enforces(.processes) == .impossible)
        #expect(
            groups.refusal(of: .processes) == """
                limit on processes cannot be enforced: no cgroup 2 that holds this process is mounted; run with cgroup \
                delegation (systemd-run --user --scope -p Delegate=yes taskhost …) or set "enforcement": "bestEffort"
                """)
    }

    @Test("A forced tier that cannot be had is an error that says what is missing", arguments: ControlTier.allCases)
    func forced(_ tier: ControlTier) throws {
        let empty = CgroupLayout(cgroup: "", mountInfo: "")
        if tier == .none {
            #expect(try ControlGroups.probe(name: uniqueName(), forced: tier, layout: empty).tier == .none)
        } else {
            let error = #expect(throws: ControlGroupError.self) {
                try ControlGroups.probe(name: uniqueName(), forced: tier, layout: empty)
            }
            let text = try #require(error).description
            #expect(text.hasPrefix("control tier \(tier.rawValue) cannot be had here: no cgroup"))
        }
    }

    @Test("Missing controllers are named")
    func controllers() throws {
        try withFolder { path in
            try write("cpu pids\n", path, "cgroup.controllers")
            let error = #expect(throws: ControlGroupError.self) {
                try ControlGroups.probe(name: "host", forced: .unified, layout: layout(unified: path))
            }
            #expect(
                error == .unavailable(.unified, missing: "cgroup 2 offers no memory controller in \(path)"))
            #expect(try Folder.children(of: path).isEmpty)
        }
    }

    @Test("A folder that lacks the control files is refused and left as it was")
    func noControlFiles() throws {
        try withFolder { path in
            try write("cpu memory pids\n", path, "cgroup.controllers")
            try write("", path, "cgroup.subtree_control")
            for tier in [ControlTier.unified, .hybrid] {
                let error = #expect(throws: ControlGroupError.self) {
                    try ControlGroups.probe(name: "host", forced: tier, layout: layout(unified: path))
                }
                guard case .unavailable(tier, _)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            #expect(try Folder.children(of: path).isEmpty)
        }
    }

    @Test("A mount that refuses new folders, as a container's, leads to the last tier")
    func readOnly() throws {
        // /proc takes no new folders from anyone, root included.
        let groups = try ControlGroups.probe(name: "host", layout: layout(unified: "/proc"))
        #expect(groups.tier == .none)
        #expect(groups.shortfalls.count == 3)
        #expect(groups.shortfalls[1].description.contains("mkdir /proc/host"))
    }

    @Test("The best tier here is the first of those that can be had, and leaves no folder behind")
    func best() throws {
        let groups = try ControlGroups.probe(name: uniqueName())
        let folders = groups.parentFolders
        #expect(groups.tier == tiersHere.first)
        #expect(groups.shortfalls.count == ControlTier.allCases.firstIndex(of: groups.tier))
        for folder in folders { #expect(access(folder, F_OK) == 0) }
        #expect(groups.remove())
        for folder in folders { #expect(access(folder, F_OK) != 0) }
    }

    private func write(_ text: String, _ folder: String, _ file: String) throws {
        let file = try Descriptor.open("\(folder)/\(file)", [.O_WRONLY, .O_CREAT], mode: 0o600)
        try FileText.write(text, to: file.number)
    }
}

import Glibc
import Testing
import Workers

@Suite("What a dead host left behind", .serialized)
struct LeftoverTests {
    @Test("Trees of a dead host are killed and their folders removed", arguments: tiersHere.filter { $0 != .none })
    func treeExited(_ tier: ControlTier) throws {
        let name = uniqueName()
        let dead = try ControlGroups.probe(name: name, forced: tier)
        let group = try dead.make("com.example.left")
        let frozen = try dead.make("com.example.frozen")
        let tree = try Tree(ControlGroupTests.stubborn, in: group)
        let other = try Tree("echo up; sleep 1000", in: frozen)
        #expect(tree.line() == "up")
        #expect(other.line() == "up")
        frozen.freeze()

        let next = try ControlGroups.probe(name: name, forced: tier)
        defer { next.remove() }
        try next.emptyLeftovers()
        #expect(group.isEmpty() && frozen.isEmpty())
        #expect(tree.end() == SIGKILL)
        #expect(other.end() == SIGKILL)
        #expect(next.remove(), "nothing is left in the host's folders")
    }

    @Test(
        "Folders of a tier that is no longer used are emptied too",
        .enabled(if: tiersHere.contains(.legacy), "needs cgroup 1"))
    func otherTier() throws {
        let name = uniqueName()
        let dead = try ControlGroups.probe(name: name, forced: .legacy)
        let folders = dead.parentFolders
        let tree = try Tree("echo up; sleep 1000", in: try dead.make("com.example.left"))
        #expect(tree.line() == "up")
        let next = try ControlGroups.probe(name: name, forced: ControlTier.none)
        try next.emptyLeftovers()
        #expect(tree.end() == SIGKILL)
        for folder in folders { #expect(access(folder, F_OK) != 0, "\(folder) is still there") }
    }

    @Test(
        "Recorded folders elsewhere in the hierarchy are emptied, others are left alone",
        arguments: tiersHere.filter { $0 != .none })
    func recorded(_ tier: ControlTier) throws {
        let outer = try ControlGroups.probe(name: uniqueName(), forced: tier)
        defer { outer.remove() }
        let base = try #require(outer.parentFolders.first)
        let name = uniqueName()
        for path in ["\(base)/\(name)", "\(base)/\(name)/1-x", "\(base)/foreign", "\(base)/foreign/1-x"] {
            try #require(mkdir(path, 0o755) == 0)
        }
        let next = try ControlGroups.probe(name: name, forced: ControlTier.none)
        try next.emptyLeftovers(recorded: ["\(base)/\(name)", "\(base)/foreign", "/tmp/\(name)", "\(base)/../\(name)"])
        #expect(access("\(base)/\(name)", F_OK) != 0)
        #expect(access("\(base)/foreign/1-x", F_OK) == 0)
        rmdir("\(base)/foreign/1-x")
        rmdir("\(base)/foreign")
    }
}

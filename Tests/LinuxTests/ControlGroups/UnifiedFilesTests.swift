import Glibc
import Linux
import TaskModel
import Testing
import Workers

/// The files of a delegated cgroup 2 with controllers, played by plain files: what is written where, and what is read.
@Suite("Control files of tier unified")
struct UnifiedFilesTests {
    private static let files = [
        "cpu.stat": "usage_usec 2500\nuser_usec 2000\nsystem_usec 500\n",
        "cgroup.events": "populated 1\nfrozen 0\n", "cgroup.procs": "41\n42\n", "cgroup.freeze": "", "cgroup.kill": "",
        "memory.max": "", "memory.swap.max": "", "memory.oom.group": "", "memory.current": "1048576\n",
        "memory.peak": "5242880\n", "memory.events": "low 0\nhigh 0\nmax 9\noom 2\noom_kill 2\noom_group_kill 1\n",
        "pids.max": "", "pids.current": "0\n",
    ]

    private func withGroup(without absent: Set<String> = [], _ body: (ControlGroup, String) throws -> Void) throws {
        let path = "/tmp/\(uniqueName())"
        try #require(mkdir(path, 0o700) == 0)
        defer {
            for name in Self.files.keys { unlink("\(path)/\(name)") }
            rmdir(path)
        }
        for (name, text) in Self.files where !absent.contains(name) { try set(text, path, name) }
        let folder = try CgroupFolder(opening: path, in: .unified)
        try body(ControlGroup(name: "1-x", tier: .unified, folders: [.unified: folder]), path)
    }

    private func text(_ path: String, _ name: String) -> String? { try? FileText.read("\(path)/\(name)") }

    private func set(_ text: String, _ path: String, _ name: String) throws {
        let file = try Descriptor.open("\(path)/\(name)", [.O_WRONLY, .O_CREAT, .O_TRUNC], mode: 0o600)
        try FileText.write(text, to: file.number)
    }

    @Test("A memory limit covers swap and kills the whole group")
    func memoryLimit() throws {
        try withGroup { group, path in
            #expect(group.limitMemory(.mebibytes(64)))
            #expect(text(path, "memory.max") == "67108864")
            #expect(text(path, "memory.swap.max") == "0")
            #expect(text(path, "memory.oom.group") == "1")
        }
    }

    @Test("Kernels without swap accounting, group kill or a peak are served as well")
    func olderKernel() throws {
        try withGroup(without: ["memory.swap.max", "memory.oom.group", "memory.peak"]) { group, path in
            #expect(group.limitMemory(.mebibytes(64)))
            #expect(group.peakMemory() == .mebibytes(1))
            try set("3145728\n", path, "memory.current")
            #expect(group.currentMemory() == .mebibytes(3))
            try set("2097152\n", path, "memory.current")
            #expect(group.peakMemory() == .mebibytes(3))
            group.resetPeak()
            #expect(group.peakMemory() == .mebibytes(2))
        }
    }

    @Test("Without the memory file the limit is refused")
    func noLimit() throws {
        try withGroup(without: ["memory.max", "pids.max"]) { group, _ in
            #expect(!group.limitMemory(.mebibytes(64)))
            #expect(!group.limitProcesses(8))
        }
    }

    @Test("Counters are read, and restart after recycling")
    func counters() throws {
        try withGroup { group, path in
            #expect(group.limitProcesses(16))
            #expect(text(path, "pids.max") == "16")
            #expect(group.cpuTime() == TimeSpan(nanoseconds: 2_500_000))
            #expect(group.peakMemory() == .mebibytes(5))
            #expect(group.outOfMemoryKills == 2)
            #expect(group.processes() == [41, 42])
            #expect(group.cloneDescriptor != nil)
            #expect(group.placementDescriptors.isEmpty)
            #expect(!group.recycle())
            group.freeze()
            #expect(text(path, "cgroup.freeze") == "1")
            try set("populated 0\nfrozen 0\n", path, "cgroup.events")
            try set("1\n", path, "pids.current")
            #expect(!group.recycle(), "a process waits to be reaped")
            try set("0\n", path, "pids.current")
            #expect(group.recycle())
            #expect(text(path, "cgroup.freeze") == "0")
            #expect(group.cpuTime() == .zero)
            #expect(group.outOfMemoryKills == 0)
            try set("usage_usec 2600\n", path, "cpu.stat")
            #expect(group.cpuTime() == TimeSpan(nanoseconds: 100_000))
        }
    }

    @Test("A reading that falls does not take CPU time back")
    func monotonic() throws {
        try withGroup { group, path in
            #expect(group.cpuTime() == TimeSpan(nanoseconds: 2_500_000))
            try set("usage_usec 10\n", path, "cpu.stat")
            #expect(group.cpuTime() == TimeSpan(nanoseconds: 2_500_000))
        }
    }

    @Test("A kill freezes first")
    func kill() throws {
        try withGroup { group, path in
            try set("populated 1\nfrozen 1\n", path, "cgroup.events")
            group.kill()
            #expect(text(path, "cgroup.freeze") == "1")
            #expect(text(path, "cgroup.kill") == "1")
        }
    }
}

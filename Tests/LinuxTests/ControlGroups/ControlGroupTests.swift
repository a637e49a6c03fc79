import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Workers

/// Real trees of processes, in every tier that this machine can have.
@Suite("A worker's process tree", .serialized)
struct ControlGroupTests {
    /// Ignores every signal that can be ignored, in a child of a child whose parent has ended.
    static let stubborn = """
        trap '' HUP INT QUIT TERM USR1 USR2 ALRM PIPE CONT TSTP TTIN TTOU
        (
            (
                for i in 1 2 3 4; do sleep 1000 & done
                echo up
                wait
            ) &
        )
        wait
        while :; do sleep 1000; done
        """

    @Test("CPU time of children counts, while they live and after", arguments: tiersHere)
    func cpuOfChildren(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.cpu")
            let spin = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
            let tree = try Tree("(\(spin)) & wait; echo done; sleep 1000", in: group)
            let before = try #require(group.cpuTime())
            #expect(tree.line() == "done")
            let after = try #require(group.cpuTime())
            // The loop of a shell takes far longer than this, the leader that only waits far less.
            if tier != .none { #expect(after - before > .milliseconds(50)) }
            #expect(group.killUntilEmpty())
            _ = tree.end()
            let final = try #require(group.cpuTime())
            #expect(final >= after)
            #expect(group.remove())
        }
    }

    @Test("Without cgroups the CPU time of children is found as well, if later")
    func cpuOfChildrenByMeter() throws {
        try withGroups(.none) { groups in
            let group = try groups.make("com.example.cpu")
            let tree = try Tree("echo up; (while :; do :; done) & wait", in: group)
            #expect(tree.line() == "up")
            var reading = TimeSpan.zero
            var patience = Patience()
            while reading < .milliseconds(200) && patience.milliseconds() != nil {
                group.walk()
                let next = try #require(group.cpuTime())
                #expect(next >= reading)
                reading = next
                _ = poll(nil, 0, 10)
            }
            #expect(reading >= .milliseconds(200))
            #expect(group.killUntilEmpty())
        }
    }

    @Test("A tree that daemonised and ignores all signals is killed and proved empty", arguments: tiersHere)
    func killsDaemons(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.daemon")
            let tree = try Tree(Self.stubborn, in: group)
            #expect(tree.line() == "up")
            #expect(!group.isEmpty())
            let members = group.processes()
            #expect(members.count >= 6)
            #expect(members.contains(tree.pid))
            #expect(group.killUntilEmpty())
            #expect(group.processes().isEmpty)
            // Only a keeper waits for the leader: it is a zombie, and the tree is empty all the same.
            if tier != .none { #expect(ProcessStatus(of: tree.pid)?.state == "Z") }
            #expect(tree.end() == SIGKILL)
            for pid in members { #expect(ProcessStatus(of: pid).map { !$0.isAlive } ?? true) }
            #expect(group.remove())
        }
    }

    @Test("A daemon in a new session does not escape", arguments: tiersHere)
    func killsNewSessions(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.session")
            let tree = try Tree("(setsid sh -c 'echo up; exec sleep 1000' &); exit 3", in: group)
            #expect(tree.line() == "up")
            #expect(tree.end() == -3)
            #expect(group.processes().count == 1)
            #expect(!group.isEmpty())
            #expect(group.killUntilEmpty())
            #expect(group.remove())
        }
    }

    @Test("Fifty processes that fork and exit without pause leave no survivor", arguments: tiersHere)
    func killsRunners(_ tier: ControlTier) throws {
        let script = "/tmp/\(uniqueName()).sh"
        let text = "trap '' HUP TERM\nsetsid sh \"$0\" &\n[ -n \"$1\" ] && echo up\nexit 0\n"
        let file = try Descriptor.open(script, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: 0o600)
        defer { unlink(script) }
        try FileText.write(text, to: file.number)
        try withGroups(tier) { groups in
            for _ in 0..<50 {
                let group = try groups.make("com.example.runner")
                let tree = try Tree("exec sh \(script) first", in: group)
                #expect(tree.line() == "up")
                if tier == .none {
                    #expect(group.killUntilEmpty())
                } else {
                    group.kill()
                    #expect(group.waitUntilEmpty(milliseconds: 10_000), "one kill was not enough")
                }
                #expect(group.processes().isEmpty)
                _ = tree.end()
                #expect(group.remove())
            }
        }
    }

    @Test(
        "A single process is killed without a freeze, and its group serves again; of two none is", arguments: tiersHere)
    func killsSingle(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.single")
            let single = try Tree("echo up; exec sleep 1000", in: group)
            #expect(single.line() == "up")
            guard group.killSingle() else {
                #expect(tier == .none)
                #expect(group.killUntilEmpty())
                return
            }
            #expect(single.end() == 9)
            #expect(eventually { group.isEmpty() && group.recycle() })
            let two = try Tree("sleep 1000 & echo up; exec sleep 1000", in: group)
            #expect(two.line() == "up")
            #expect(!group.killSingle())
            #expect(group.processes().count == 2)
            #expect(group.killUntilEmpty())
            _ = two.end()
            group.freeze()
            #expect(!group.killSingle())
            #expect(group.remove())
        }
    }

    @Test("Without cgroups, what keeps the tree ends it when the host has ended")
    func keeperEndsTree() throws {
        try withGroups(.none) { groups in
            let group = try groups.make("com.example.keeper")
            var tree: Tree? = try Tree("(setsid sh -c 'echo up; exec sleep 1000' &); exec sleep 1000", in: group)
            #expect(tree?.line() == "up")
            let members = group.processes()
            #expect(members.count == 2)
            // Its end of the lifeline goes with it, as that of a killed host's zygote.
            tree = nil
            #expect(group.waitUntilEmpty(milliseconds: 10_000))
            for pid in members { #expect(ProcessStatus(of: pid).map { !$0.isAlive } ?? true) }
        }
    }

    @Test("Without cgroups, a look at a tree ends where it has more processes than it may")
    func counts() throws {
        try withGroups(.none) { groups in
            let group = try groups.make("com.example.many")
            #expect(!group.limitProcesses(8))
            let tree = try Tree("for i in 1 2 3 4 5 6 7; do sleep 1000 & done; echo up; wait", in: group)
            #expect(tree.line() == "up")
            #expect(group.processes().count == 8)
            group.walk()
            #expect(group.exceededProcesses == nil)
            let memory = try #require(group.currentMemory())
            #expect(group.limitProcesses(7) == false)
            group.walk()
            #expect(group.exceededProcesses == 7)
            #expect(group.currentMemory() == memory, "that of too many is not read")
            #expect(group.processes().count == 8, "the one that is too many is looked at")
            #expect(group.killUntilEmpty(), "all of them die, whatever the limit")
        }
    }

    @Test("A frozen tree uses no CPU time until it is thawed", arguments: tiersHere)
    func freezes(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.freeze")
            let tree = try Tree("echo up; while :; do :; done", in: group)
            #expect(tree.line() == "up")
            group.freeze()
            #expect(eventually { group.isFrozen })
            let before = try #require(group.cpuTime())
            _ = poll(nil, 0, 30)
            #expect(group.cpuTime() == before)
            group.thaw()
            #expect(eventually { (group.cpuTime() ?? .zero) > before })
            group.freeze()
            #expect(eventually { group.isFrozen })
            #expect(group.killUntilEmpty(), "a frozen tree dies as well")
            #expect(tree.end() == SIGKILL)
        }
    }

    @Test("Emptiness is reported by an event when the tree ends by itself", arguments: tiersHere)
    func reportsEmptiness(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.end")
            let tree = try Tree("echo up; sleep 0.1; exit 5", in: group)
            #expect(tree.line() == "up")
            #expect(!group.isEmpty())
            if let number = group.emptinessDescriptor {
                var request = pollfd(fd: number, events: Int16(POLLPRI), revents: 0)
                var patience = Patience()
                repeat {
                    if !patience.poll(&request) { Issue.record("no event") }
                } while !group.isEmpty() && request.revents != 0
            }
            #expect(tree.end() == -5)
            #expect(group.waitUntilEmpty(milliseconds: 10_000))
            #expect(group.remove())
            #expect(group.remove(), "removing again is no fault")
        }
    }

    @Test("An emptied group serves the next worker with fresh meters", arguments: tiersHere)
    func recycles(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.again")
            let first = try Tree(
                "head -c 30000000 /dev/zero | tail -c 1 >/dev/null; echo up; exec sleep 1000", in: group)
            #expect(first.line() == "up")
            #expect(!group.recycle(), "something lives in it")
            #expect(kill(first.pid, SIGKILL) == 0)
            #expect(group.waitUntilEmpty(milliseconds: 10_000))
            if groups.enforces(.processes) == .kernel {
                #expect(!group.recycle(), "a zombie counts towards the limit of processes")
            }
            _ = first.end()
            let used = try #require(group.cpuTime())
            #expect(eventually { group.recycle() })
            let second = try Tree("echo up; sleep 1000", in: group)
            #expect(second.line() == "up")
            #expect(try #require(group.cpuTime()) < max(used, .milliseconds(20)))
            #expect(try #require(group.peakMemory()) < .mebibytes(16))
            #expect(group.outOfMemoryKills == 0)
            #expect(group.processes().contains(second.pid))
            #expect(group.killUntilEmpty())
            _ = second.end()
            #expect(group.remove())
        }
    }

    @Test("A killed group is used again only where nothing is cloned into it", arguments: tiersHere)
    func recyclesOften(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.often")
            _ = group.limitProcesses(8)
            let isReusable = group.cloneDescriptor == nil
            for _ in 0..<(isReusable ? 20 : 1) {
                // One process: the orphans of a larger tree are reaped by init, which may take seconds.
                let tree = try Tree("echo up; exec sleep 1000", in: group)
                try #require(tree.line() == "up")
                #expect(group.killUntilEmpty())
                _ = tree.end()
                if isReusable { try #require(eventually { group.recycle() }) } else { #expect(!group.recycle()) }
            }
            #expect(group.remove())
        }
    }

    @Test("Kill, freeze and meters of a group without a worker do nothing", arguments: tiersHere)
    func withoutWorker(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.nobody")
            group.kill()
            group.freeze()
            group.thaw()
            #expect(group.isEmpty())
            #expect(group.processes().isEmpty)
            #expect(group.outOfMemoryKills == 0)
            #expect(group.remove())
        }
    }
}

/// Asks each millisecond, until the patience has run out.
func eventually(_ condition: () -> Bool) -> Bool {
    var patience = Patience()
    while patience.milliseconds() != nil {
        if condition() { return true }
        _ = poll(nil, 0, 1)
    }
    return condition()
}

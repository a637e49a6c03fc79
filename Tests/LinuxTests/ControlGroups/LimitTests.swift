import Glibc
import TaskModel
import Testing
import Workers

@Suite("Limits on a worker's process tree", .serialized)
struct LimitTests {
    /// `tail` keeps all its input in memory while no line ends.
    static func eat(_ mebibytes: Int) -> String { "head -c \(mebibytes)M /dev/zero | tail >/dev/null" }

    @Test(
        "A child beyond the memory limit is killed by the kernel, and counted",
        .enabled(if: !limitingTiers.isEmpty, "no tier of this machine limits memory"), arguments: limitingTiers)
    func memory(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.memory")
            #expect(group.limitMemory(.mebibytes(24)))
            #expect(group.outOfMemoryKills == 0)
            let tree = try Tree("\(Self.eat(200)); echo over; exec sleep 1000", in: group)
            _ = tree.line()
            #expect(group.outOfMemoryKills >= 1)
            let peak = try #require(group.peakMemory())
            #expect(peak > .mebibytes(16) && peak <= .mebibytes(24))
            #expect(group.killUntilEmpty())
            _ = tree.end()
            if group.cloneDescriptor == nil {
                #expect(eventually { group.recycle() })
                #expect(group.outOfMemoryKills == 0)
            }
            #expect(eventually { group.remove() })
        }
    }

    @Test(
        "A memory limit can be raised and lowered again",
        .enabled(if: !limitingTiers.isEmpty, "no tier of this machine limits memory"), arguments: limitingTiers)
    func memoryBothWays(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.memory")
            for size: UInt64 in [24, 96, 8, 1024] { #expect(group.limitMemory(.mebibytes(size))) }
            let tree = try Tree("\(Self.eat(60)); echo fine; sleep 1000", in: group)
            #expect(tree.line() == "fine")
            #expect(group.outOfMemoryKills == 0)
            #expect(try #require(group.peakMemory()) > .mebibytes(48))
            group.resetPeak()
            #expect(try #require(group.peakMemory()) < .mebibytes(48))
            #expect(group.killUntilEmpty())
        }
    }

    @Test(
        "Beyond the limit of processes fork fails",
        .enabled(if: !limitingTiers.isEmpty, "no tier of this machine limits processes"), arguments: limitingTiers)
    func processes(_ tier: ControlTier) throws {
        try withGroups(tier) { groups in
            let group = try groups.make("com.example.processes")
            #expect(group.limitProcesses(8))
            // A shell that cannot fork says so and ends; its parent lives on and reports.
            let script = "(i=0; while [ $i -lt 40 ]; do sleep 1000 & i=$((i+1)); done) 2>/dev/null; echo $?; sleep 1000"
            let tree = try Tree(script, in: group)
            let status = try #require(tree.line())
            #expect(status != "0")
            #expect((2...8).contains(group.processes().count))
            #expect(group.killUntilEmpty())
        }
    }

    @Test("Where no kernel limit is to be had, it is said and memory is metered over the tree")
    func metered() throws {
        try withGroups(.none) { groups in
            let group = try groups.make("com.example.memory")
            #expect(!group.limitMemory(.mebibytes(16)))
            #expect(!group.limitProcesses(8))
            let tree = try Tree("(head -c 60M /dev/zero; sleep 1000) | tail >/dev/null", in: group)
            // Shared pages count in proportion beyond the limit, so the sum cannot exceed what the tree really has.
            #expect(group.currentMemory() == nil, "nothing is read yet")
            #expect(
                eventually {
                    group.walk()
                    return (group.currentMemory() ?? .mebibytes(0)) > .mebibytes(48)
                })
            #expect(try #require(group.currentMemory()) < .mebibytes(200))
            #expect(try #require(group.peakMemory()) > .mebibytes(48))
            #expect(group.killUntilEmpty())
            #expect(tree.end() == SIGKILL)
            group.walk()
            #expect(group.currentMemory() == nil)
        }
    }
}

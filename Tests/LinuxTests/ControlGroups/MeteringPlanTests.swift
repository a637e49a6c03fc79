import TaskModel
import Testing
import Workers

/// A step costs 10 us of the played processor; no real time passes.
@Suite("When trees without control groups are read")
struct MeteringPlanTests {
    private typealias Plan = MeteringPlan<Int32>

    /// A host's turns over played trees.
    private final class Machine {
        var plan = MeteringPlan<Int32>()
        let processes = PlayedProcesses()
        var walks: [Int32: TreeWalk] = [:]
        var now = Instant(nanoseconds: 0)
        var used = TimeSpan.zero
        /// Trees that were found with too many processes.
        var overrun: Set<Int32> = []
        /// How often each was read to its end.
        var over: [Int32: Int] = [:]
        var isTimeOver = false

        func begin(_ keeper: Int32, isForced: Bool = false) -> Bool {
            guard plan.begin(keeper, at: now, isForced: isForced) else { return false }
            walks[keeper] = TreeWalk(keeper: keeper, leader: keeper + 1, atMost: 512, memory: nil)
            return true
        }

        /// - Returns: how many files it read.
        func turn() -> Int {
            let before = processes.reads
            plan.beginTurn()
            let finished = plan.advance(
                at: now, isTimeOver: { self.isTimeOver }, clock: { self.used },
                step: { keeper in
                    self.used = self.used + TimeSpan(nanoseconds: 10_000)
                    self.walks[keeper]?.step(self.processes)
                    return self.walks[keeper]?.isOver == false
                })
            for keeper in finished {
                over[keeper, default: 0] += 1
                if walks.removeValue(forKey: keeper)?.isCut == true { overrun.insert(keeper) }
            }
            return processes.reads - before
        }
    }

    /// Four trees of 480 processes, and forty of two.
    private func crowd() -> (Machine, large: [Int32], small: [Int32]) {
        let machine = Machine()
        let large = (1...4).map { Int32($0 * 10_000) }
        let small = (10..<50).map { Int32($0 * 10_000) }
        for keeper in large { machine.processes.add(keeper: keeper, processes: 480) }
        for keeper in small { machine.processes.add(keeper: keeper, processes: 2) }
        return (machine, large, small)
    }

    @Test("No turn reads more than its part, small trees wait for no large one, and all are read to their end")
    func bounded() {
        let (machine, large, small) = crowd()
        for keeper in large + small { #expect(machine.begin(keeper)) }
        var turns = 0
        while !machine.plan.isSettled && turns < 1000 {
            #expect((1...Plan.mostSteps).contains(machine.turn()))
            turns += 1
            // One visit of each: a small tree is read in one.
            if turns == 7 { #expect(small.allSatisfy { machine.over[$0] == 1 }) }
        }
        #expect((large + small).allSatisfy { machine.over[$0] == 1 })
        #expect(turns == (machine.processes.reads + Plan.mostSteps - 1) / Plan.mostSteps)
    }

    @Test("A turn without time goes on by one step all the same")
    func slow() {
        let (machine, large, _) = crowd()
        machine.isTimeOver = true
        #expect(machine.begin(large[0]))
        #expect(machine.begin(large[1]))
        for _ in 0..<8 { #expect(machine.turn() == 1) }
    }

    @Test("A tree beyond its bound is found while others are read, before its memory is")
    func overrun() {
        let (machine, large, small) = crowd()
        let storm: Int32 = 900_000
        machine.processes.add(keeper: storm, processes: 20_000)
        for keeper in large + small + [storm] { #expect(machine.begin(keeper)) }
        while machine.overrun.isEmpty && !machine.plan.isSettled { _ = machine.turn() }
        #expect(machine.overrun == [storm])
        #expect(large.allSatisfy { machine.over[$0] == nil }, "nobody's memory was read whole by then")
    }

    @Test(
        "The pause follows the cost, and each of the trees has the same part of the processor",
        arguments: [
            (TimeSpan(nanoseconds: 60_000), 1, TimeSpan.milliseconds(50)),
            (TimeSpan(nanoseconds: 60_000), 40, .milliseconds(50)),
            (.milliseconds(15), 1, .milliseconds(300)), (.milliseconds(15), 4, .milliseconds(1200)),
            (.zero, 0, .milliseconds(50)), (.seconds(1 << 30), 1 << 30, .seconds(1_000_000_000)),
        ])
    func interval(_ cost: TimeSpan, _ trees: Int, _ pause: TimeSpan) {
        #expect(Plan.interval(after: cost, trees: trees) == pause)
    }

    @Test("A tree is not begun again while it is read, nor before its pause is over, unless it must be")
    func pauses() {
        let (machine, large, small) = crowd()
        #expect(machine.begin(large[0]))
        #expect(!machine.begin(large[0]), "it is being read")
        #expect(machine.begin(large[0], isForced: true), "anew")
        while !machine.plan.isSettled { _ = machine.turn() }
        #expect(machine.over[large[0]] == 1)
        machine.now = machine.now + Plan.shortest
        #expect(!machine.begin(large[0]), "1,442 steps cost 14 ms: the pause is 288 ms")
        machine.now = machine.now + .milliseconds(250)
        #expect(machine.begin(large[0]))
        machine.plan.forget(large[0])
        #expect(machine.plan.isSettled)
        #expect(machine.begin(small[0]))
    }

    @Test("Over a minute all trees together use no more than the share, and small ones are read as often as ever")
    func share() {
        let (machine, large, small) = crowd()
        let end = machine.now + .seconds(60)
        let few = small.prefix(4)
        while machine.now < end {
            for keeper in large + few { _ = machine.begin(keeper) }
            let reads = machine.turn()
            #expect(reads <= Plan.mostSteps)
            machine.now = machine.now + .milliseconds(5)
        }
        // The first walks are before any pause is known.
        #expect(machine.used.seconds <= 60 * Plan.share + 0.1)
        #expect(few.allSatisfy { machine.over[$0] ?? 0 > 60 * 10 })
        #expect(large.allSatisfy { machine.over[$0] ?? 0 > 20 })
    }
}

import TaskModel
import Testing
import Workers

@Suite("A walk over a tree that no control group meters")
struct TreeWalkTests {
    private let processes = PlayedProcesses()

    private func walk(_ count: Int32, atMost most: Int = 512, memory: ByteCount? = nil) -> TreeWalk {
        processes.add(keeper: 1000, processes: count)
        var walk = TreeWalk(keeper: 1000, leader: 1001, atMost: most, memory: memory)
        while !walk.isOver {
            let before = processes.reads
            walk.step(processes)
            #expect(processes.reads == before + 1, "a step reads one file")
        }
        return walk
    }

    @Test("It reads each process once for each thing that it wants to know")
    func whole() {
        let walk = walk(480)
        #expect(walk.memory == 480 << 20)
        #expect(walk.ticks == 479, "the leader has a clock of its own")
        #expect(!walk.isCut)
        #expect(processes.statuses == 481, "the keeper too")
        #expect(processes.lists == 481)
        #expect(processes.residents == 480)
        #expect(processes.proportionals == 0)
    }

    @Test("A tree with one process more than it may have is found before any memory is read")
    func overrun() {
        #expect(!walk(512).isCut)
        let before = processes.residents
        #expect(walk(513).isCut)
        #expect(processes.residents == before)
    }

    @Test("Beyond the limit, memory is counted in proportion, by some of many processes")
    func proportional() {
        let walk = walk(400, memory: .mebibytes(300))
        #expect(walk.memory == 100 << 20)
        #expect(processes.proportionals <= 32)
    }

    @Test("Processes that a control group has counted are only weighed")
    func counted() {
        var walk = TreeWalk(of: [7, 8, 9], memory: nil)
        while !walk.isOver { walk.step(processes) }
        #expect(walk.memory == 3 << 20)
        #expect(processes.reads == 3)
        #expect(TreeWalk(of: [], memory: nil).isOver)
    }

    @Test("A tree without a process is read to its end")
    func empty() {
        var walk = TreeWalk(keeper: 5, leader: 6, atMost: 512, memory: nil)
        while !walk.isOver { walk.step(processes) }
        #expect(walk.memory == 0)
    }
}

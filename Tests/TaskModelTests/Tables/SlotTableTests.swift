import TaskModel
import TestSupport
import Testing

struct SlotTableTests {
    private typealias Numbers = SlotTable<RunIndex, Int>

    @Test func `A handle stands for its tenant until the slot is released`() {
        var table = Numbers()
        let first = table.take(1)
        let old = table.handle(first)
        #expect(table.index(old) == first && table[first] == 1)
        table.release(first)
        #expect(table.index(old) == nil && !table.isTaken(first))

        let second = table.take(2)
        let new = table.handle(second)
        #expect(second == first && new != old)
        #expect(table.index(old) == nil)
        #expect(table.index(new) == second && table[second] == 2)
    }

    @Test func `A handle that was never given stands for nothing`() {
        var table = Numbers()
        #expect(table.index(RunHandle(index: 0, generation: 0)) == nil)
        let index = table.take(1)
        let handle = table.handle(index)
        for other in [
            RunHandle(index: handle.index, generation: handle.generation &+ 1),
            RunHandle(index: handle.index + 1, generation: handle.generation), RunHandle(index: .max, generation: .max),
        ] {
            #expect(table.index(other) == nil)
        }
        table.release(index)
        // The next tenant's handle, before there is one.
        #expect(table.index(RunHandle(index: handle.index, generation: handle.generation &+ 1)) == nil)
    }

    @Test func `Slots are used again, the last released first, before the table grows`() {
        var table = Numbers()
        let indices = (0..<4).map { table.take($0) }
        #expect(indices.map(\.number) == [0, 1, 2, 3] && table.count == 4)
        table.release(indices[1])
        table.release(indices[3])
        #expect(table.count == 2)
        #expect(table.take(10) == indices[3])
        #expect(table.take(11) == indices[1])
        #expect(table.take(12).number == 4)
        #expect(table.indices.filter(table.isTaken).map { table[$0] } == [0, 11, 2, 10, 12])
    }

    @Test func `A slot is changed in place`() {
        var table = SlotTable<RunIndex, (Int, Int)>()
        let index = table.take((1, 2))
        table[index].1 += 5
        #expect(table[index] == (1, 7))
    }

    @Test func `A slot is released once`() async {
        await #expect(processExitsWith: .failure) {
            var table = SlotTable<RunIndex, Int>()
            let index = table.take(1)
            table.release(index)
            table.release(index)
        }
    }

    @Test func `A slot is not released while it is in a list`() async {
        await #expect(processExitsWith: .failure) {
            var table = SlotTable<RunIndex, Int>()
            var list = SlotList<RunIndex>()
            let index = table.take(1)
            table.append(index, to: &list)
            table.release(index)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `Random steps leave the table equal to a dictionary`(_ round: UInt64) {
        let seed = SeededGenerator.chosenSeed() &+ round
        var random = SeededGenerator(seed: seed)
        var table = Numbers()
        var model: [RunHandle: Int] = [:]
        var gone: [RunHandle] = []
        var most = 0
        for step in 0..<5_000 {
            if random.chance(0.5 + 0.3 * (step / 500 % 2 == 0 ? 1 : -1)) {
                let index = table.take(step)
                #expect(model.updateValue(step, forKey: table.handle(index)) == nil, "step \(step), seed \(seed)")
                most = max(most, model.count)
            } else if let (handle, _) = model.randomElement(using: &random), let index = table.index(handle) {
                table.release(index)
                model[handle] = nil
                gone.append(handle)
            }
            guard table.count == model.count, gone.last.flatMap(table.index) == nil else {
                Issue.record("the table differs in step \(step), seed \(seed)")
                return
            }
        }
        for (handle, value) in model { #expect(table.index(handle).map { table[$0] } == value) }
        #expect(gone.allSatisfy { table.index($0) == nil })
        #expect(Array(table.indices).count == most, "it grew beyond what was taken at once")
    }
}

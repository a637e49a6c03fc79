import TaskModel
import TestSupport
import Testing

struct SlotListTests {
    private typealias List = SlotList<RunIndex>

    @Test func `A list keeps the order in which slots came, from either end`() {
        var links = SlotLinks<RunIndex>()
        var list = List()
        #expect(list.isEmpty && list.first == nil && list.last == nil)
        for number in [3, 1, 2] as [UInt32] { links.append(RunIndex(number: number), to: &list) }
        links.prepend(RunIndex(number: 7), to: &list)
        #expect(Self.numbers(list, links) == [7, 3, 1, 2])
        #expect(list.first?.number == 7 && list.last?.number == 2 && list.count == 4)
    }

    @Test(arguments: [0, 1, 2, 3] as [UInt32])
    func `A slot leaves from wherever it is`(_ leaving: UInt32) {
        var links = SlotLinks<RunIndex>()
        var list = List()
        for number in 0..<4 as Range<UInt32> { links.append(RunIndex(number: number), to: &list) }
        links.remove(RunIndex(number: leaving), from: &list)
        let rest = [0, 1, 2, 3].filter { $0 != leaving } as [UInt32]
        #expect(Self.numbers(list, links) == rest)
        #expect(list.first?.number == rest.first && list.last?.number == rest.last && list.count == 3)
        #expect(!links.isListed(RunIndex(number: leaving)))
    }

    @Test func `A slot that has left can be put into another list`() {
        var links = SlotLinks<RunIndex>()
        var (one, other) = (List(), List())
        let slot = RunIndex(number: 0)
        links.append(slot, to: &one)
        links.remove(slot, from: &one)
        #expect(one.isEmpty && one.first == nil && one.last == nil)
        links.prepend(slot, to: &other)
        #expect(Self.numbers(other, links) == [0])
    }

    @Test func `A slot is in one list at a time`() async {
        await #expect(processExitsWith: .failure) {
            var links = SlotLinks<RunIndex>()
            var (one, other) = (SlotList<RunIndex>(), SlotList<RunIndex>())
            links.append(RunIndex(number: 0), to: &one)
            links.append(RunIndex(number: 0), to: &other)
        }
    }

    @Test func `A slot that is in no list leaves none`() async {
        await #expect(processExitsWith: .failure) {
            var links = SlotLinks<RunIndex>()
            var list = SlotList<RunIndex>()
            for number in 0..<2 as Range<UInt32> { links.append(RunIndex(number: number), to: &list) }
            links.remove(RunIndex(number: 1), from: &list)
            links.remove(RunIndex(number: 1), from: &list)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `Random steps leave lists equal to arrays`(_ round: UInt64) {
        let seed = SeededGenerator.chosenSeed() &+ round
        var random = SeededGenerator(seed: seed)
        var links = SlotLinks<RunIndex>()
        var lists = [List](repeating: List(), count: 3)
        var models = [[UInt32]](repeating: [], count: 3)
        for step in 0..<5_000 {
            let slot = UInt32.random(in: 0..<40, using: &random)
            if let place = models.firstIndex(where: { $0.contains(slot) }) {
                links.remove(RunIndex(number: slot), from: &lists[place])
                models[place].removeAll { $0 == slot }
            } else {
                let place = Int.random(in: 0..<3, using: &random)
                if Bool.random(using: &random) {
                    links.append(RunIndex(number: slot), to: &lists[place])
                    models[place].append(slot)
                } else {
                    links.prepend(RunIndex(number: slot), to: &lists[place])
                    models[place].insert(slot, at: 0)
                }
            }
            for (list, model) in zip(lists, models) {
                guard Self.numbers(list, links) == model, list.count == model.count,
                    list.last?.number == model.last
                else {
                    Issue.record("a list differs in step \(step), seed \(seed)")
                    return
                }
            }
        }
    }

    private static func numbers(_ list: List, _ links: SlotLinks<RunIndex>) -> [UInt32] {
        var numbers: [UInt32] = []
        var next = list.first
        while let index = next {
            numbers.append(index.number)
            next = links.next(after: index)
        }
        return numbers
    }
}

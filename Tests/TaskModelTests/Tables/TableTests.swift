import TaskModel
import Testing

struct TableTests {
    @Test func `Rows are found by the index that they were given`() {
        var table = Table<RunIndex, String>()
        #expect(table.count == 0 && Array(table.indices).isEmpty)
        let (one, other) = (table.append("one"), table.append("other"))
        table[one] += "!"
        #expect(table[one] == "one!" && table[other] == "other")
        #expect(Array(table.indices) == [one, other] && table.count == 2)
        #expect(table.contains(other) && !table.contains(RunIndex(number: 2)))
    }

    @Test func `A row is changed in place`() {
        var table = Table<RunIndex, [Int]>()
        let index = table.append([1, 2, 3])
        let before = table[index].withUnsafeBufferPointer { $0.baseAddress }
        table[index][1] = 5
        #expect(table[index].withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(table[index] == [1, 5, 3])
    }

    @Test func `Rows and their indices come in order, and continue where they were left`() {
        var table = Table<TaskIndex, String>(["one", "two"])
        #expect(Array(table) == ["one", "two"])
        #expect(Array(table.indices) == [.first, .first.next] && table.indices.last == .first.next)
        let end = TaskIndex.first.next.next
        #expect(!table.contains(end))
        #expect(table.append("three") == end && table[end] == "three" && table.indices.count == 3)
    }
}

import Linux
import Testing

/// Code that is unmapped comes back when it is used.
@Suite struct ProgramTextTests {
    @Test func comesBack() throws {
        var inventory = Set((0..<1000).map { "word \($0)" })
        // The program and its libraries, each with at least one segment.
        #expect(ProgramText.release() > 3)
        inventory.formUnion((1000..<2000).map { "word \($0)" })
        ProgramText.trimHeap()
        #expect(inventory.count == 2000)
        #expect(ProgramText.release() > 3)
    }
}

import Control
import Testing

@Suite("Bytes that wait for a client")
struct PendingBytesTests {
    private func take(_ pending: inout PendingBytes, _ room: Int) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: room)
        let count = pending.take(into: &buffer, room)
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    @Test("come in their order, and as many as there is room for")
    func order() {
        var pending = PendingBytes([1, 2])
        pending.append(contentsOf: [3, 4, 5])
        #expect(take(&pending, 2) == [1, 2] && take(&pending, 2) == [3, 4] && pending.count == 1)
        pending.append(contentsOf: [6])
        #expect(take(&pending, 9) == [5, 6] && take(&pending, 9) == [] && pending.count == 0)
        pending.append(contentsOf: [7])
        pending.removeAll()
        #expect(take(&pending, 9) == [])
    }

    @Test("take no more memory while a client reads steadily and never has everything")
    func bounded() {
        var pending = PendingBytes([UInt8](repeating: 1, count: 1000))
        for _ in 0..<10_000 {
            pending.append(contentsOf: [UInt8](repeating: 2, count: 100))
            #expect(take(&pending, 100).count == 100)
        }
        #expect(pending.count == 1000 && pending.stored <= 2200, "\(pending.stored)")
    }
}

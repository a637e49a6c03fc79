import Store
import TaskModel
import Testing

struct OutputTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `Output comes back in the order it was added`() throws {
        let first = try store.admit(0)
        let second = try store.admit(1)
        for part in 0..<20 {
            try store.append(first.sequence, Array("first \(part)\n".utf8))
            try store.append(second.sequence, [UInt8(part), 0, 255])
        }
        try store.commit()
        let history = try History(path: folder.database)
        let text = (0..<20).map { "first \($0)\n" }.joined()
        #expect(String(decoding: try history.output(of: first.id).bytes, as: UTF8.self) == text)
        #expect(try history.output(of: second.id).bytes == (0..<20).flatMap { [UInt8($0), 0, 255] })
        #expect(try history.output(of: second.id).dropped == 0)
    }

    @Test func `What was thrown away is counted`() throws {
        let run = try store.admit(0)
        try store.append(run.sequence, [], dropped: 7)
        try store.append(run.sequence, [1], dropped: 5)
        let output = try store.history.output(of: run.id)
        #expect(output.bytes == [1])
        #expect(output.dropped == 12)
    }

    @Test func `One part beyond the limit is cut and the rest counted`() throws {
        let run = try store.admit(0)
        let bytes = [UInt8](repeating: 0x61, count: Store.maximumOutputPart + 3)
        try store.append(run.sequence, bytes)
        let output = try store.history.output(of: run.id)
        #expect(output.bytes.count == Store.maximumOutputPart)
        #expect(output.dropped == 3)
    }

    @Test func `A silent or unknown run has no output`() throws {
        let run = try store.admit(0)
        for id in [run.id, sampleID(99)] {
            let output = try store.history.output(of: id)
            #expect(output.bytes.isEmpty && output.dropped == 0)
        }
    }
}

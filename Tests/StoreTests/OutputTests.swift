import Record
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
            try store.append(first, Array("first \(part)\n".utf8))
            try store.append(second, [UInt8(part), 0, 255])
        }
        try store.commit()
        let history = try History(path: folder.database)
        let text = (0..<20).map { "first \($0)\n" }.joined()
        #expect(String(decoding: try history.output(of: first).bytes, as: UTF8.self) == text)
        #expect(try history.output(of: second).bytes == (0..<20).flatMap { [UInt8($0), 0, 255] })
        #expect(try history.output(of: second).dropped == 0)
    }

    @Test func `What was thrown away is counted`() throws {
        let run = try store.admit(0)
        try store.append(run, [], dropped: 7)
        try store.append(run, [1], dropped: 5)
        let output = try store.history.output(of: run)
        #expect(output.bytes == [1])
        #expect(output.dropped == 12)
    }

    @Test func `One part beyond the limit is cut and the rest counted`() throws {
        let run = try store.admit(0)
        let bytes = [UInt8](repeating: 0x61, count: RecordLimits.outputPart + 3)
        try store.append(run, bytes)
        let output = try store.history.output(of: run)
        #expect(output.bytes.count == RecordLimits.outputPart)
        #expect(output.dropped == 3)
    }

    @Test func `A silent or unknown run has no output`() throws {
        let run = try store.admit(0)
        for id in [run, sampleID(99)] {
            let output = try store.history.output(of: id)
            #expect(output.bytes.isEmpty && output.dropped == 0)
        }
    }

    @Test func `Each part keeps its time and its stream, and is found by its place`() throws {
        let run = try store.admit(0)
        let marks = [LogMark(.stdout, at: moment(1)), LogMark(.stderr, at: moment(2)), LogMark(.log, at: moment(2))]
        for (mark, text) in zip(marks, ["out", "error\n", "a line\n"]) {
            try store.appendOutput(to: run, bytes: Array(text.utf8).span.bytes, mark: mark)
        }
        try store.append(run, Array("unknown".utf8))
        let all = try store.history.log(of: run, from: LogPlace(number: 0), most: 1 << 20)
        #expect(all.map(\.mark) == marks + [nil])
        #expect(String(decoding: all.flatMap(\.bytes), as: UTF8.self) == "outerror\na line\nunknown")
        #expect(try store.history.log(of: run, from: LogPlace(part: 2, skipped: 3), most: 4).map(\.number) == [2, 3])
        #expect(try store.history.log(of: run, from: LogPlace(part: 2, skipped: 3), most: 3).map(\.number) == [2])
        #expect(try store.history.log(of: run, from: LogPlace(part: 5, skipped: 0), most: 99).isEmpty)
        #expect(try store.history.log(of: sampleID(99), from: LogPlace(number: 0), most: 99).isEmpty)
    }
}

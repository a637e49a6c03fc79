import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Runs by their figures, their marks, and what they said last.
struct MeasuringTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private let longer = RunDifference(.longer, value: 190_000_000_000, usual: 60_000_000_000)

    /// Runs of three tasks; each seventh failed, each tenth is under way.
    private func fill(_ count: Int64) throws {
        for number in 0..<count {
            let task = try store.taskRow(identifier: "com.example.task\(number % 3)", application: "com.example")
            try store.insertRun(
                RunStart(
                    id: sampleID(number * 1000), task: task, attempt: 1, submittedAt: moment(number * 1000),
                    startedAt: moment(number * 1000 + 1), origin: .schedule, kind: .processing))
            guard number % 10 != 9 else { continue }
            let figures = RunFigures(
                wallTime: .milliseconds(number * 7919 % 1009), cpuTime: number % 4 == 0 ? nil : .milliseconds(number),
                peakMemory: .mebibytes(UInt64(number % 50)))
            let end = RunEnd(
                id: sampleID(number * 1000), outcome: number % 7 == 6 ? .failed : .succeeded,
                startedAt: moment(number * 1000 + 1), endedAt: moment(number * 1000 + 500), figures: figures)
            try store.finishRun(end, events: [RunEvent]().span)
            if number % 25 == 3 {
                let marks = RunMarks(differences: [longer], wroteErrors: number % 2 == 0)
                try store.markRun(sampleID(number * 1000), marks)
            } else if number % 25 == 4 {
                try store.markRun(sampleID(number * 1000), RunMarks(wroteErrors: true))
            }
        }
        try store.commit()
    }

    private func measured(_ filter: RunFilter, portions size: Int) throws -> [MeasuredRun] {
        var (runs, before) = ([MeasuredRun](), Int64?.none)
        repeat {
            let found = try store.history.measuredRuns(matching: filter, before: before, most: size)
            runs += found.runs
            before = found.next
        } while before != nil
        return runs
    }

    @Test func `Portions of any size have every run that fits, once`() throws {
        try fill(300)
        let whole = try store.history.runs(limit: 1000)
        for size in [1, 7, 300, 1000] {
            let runs = try measured(RunFilter(), portions: size)
            #expect(runs.map(\.submittedAt) == whole.map(\.submittedAt))
            #expect(runs.map(\.wallTime) == whole.map(\.figures.wallTime))
            #expect(runs.map(\.peakMemory) == whole.map(\.figures.peakMemory))
        }
        var filter = RunFilter(tasks: try store.history.taskRows(named: "com.example.task1"))
        filter.outcomes = [.failed]
        filter.since = moment(50_000)
        filter.until = moment(200_000)
        let found = try measured(filter, portions: 13).map(\.submittedAt)
        let expected = whole.filter { run in
            run.identifier == "com.example.task1" && run.outcome == .failed && run.submittedAt >= moment(50_000)
                && run.submittedAt < moment(200_000)
        }
        #expect(found == expected.map(\.submittedAt) && !found.isEmpty)
    }

    @Test func `Runs with a mark are found by it, page after page, and read with it`() throws {
        try fill(300)
        var filter = RunFilter()
        filter.isUnlikeItself = true
        let whole = try store.history.runs(limit: 1000).filter { !$0.marks.differences.isEmpty }
        #expect(whole.count > 8 && whole.contains { $0.marks.wroteErrors } && whole.contains { !$0.marks.wroteErrors })
        #expect(whole.first?.marks.differences == [longer])
        var (runs, before) = ([RunRecord](), ULID?.none)
        repeat {
            let page = try store.history.runs(matching: filter, before: before, limit: 3)
            runs += page.elements
            before = page.next
        } while before != nil
        #expect(runs == whole)
        #expect(try measured(filter, portions: 100).map(\.submittedAt) == whole.map(\.submittedAt))
    }

    @Test func `A task's ended runs come newest first, and runs of places in their order`() throws {
        try fill(100)
        let row = try #require(try store.history.taskRows(named: "com.example.task2").first)
        let runs = try store.history.endedRuns(ofTask: row, before: nil, limit: 5)
        let whole = try store.history.runs(limit: 100).filter {
            $0.identifier == "com.example.task2" && $0.outcome != nil
        }
        #expect(runs.map(\.submittedAt) == whole.prefix(5).map(\.submittedAt))
        #expect(runs.allSatisfy { $0.origin == .schedule && $0.attempt == 1 && $0.startedAt != nil })
        let later = try store.history.endedRuns(ofTask: row, before: runs[4].place, limit: 5)
        #expect(later.map(\.submittedAt) == whole.dropFirst(5).prefix(5).map(\.submittedAt))
        let places = [runs[3].place, runs[0].place, 10_000, runs[1].place]
        #expect(try store.history.runs(at: places).elements.map(\.id) == [whole[3].id, whole[0].id, whole[1].id])
        #expect(try store.history.taskName(row: row) == TaskName("com.example.task2", of: "com.example"))
        #expect(try store.history.endedRun(at: runs[2].place)?.submittedAt == whole[2].submittedAt)
    }

    @Test func `What a run said last is told of those that did not succeed`() throws {
        try fill(8)
        func print(_ number: Int64, _ text: String, _ stream: LogStream = .stderr) throws {
            let bytes = Array(text.utf8)
            try unsafe store.appendOutput(
                to: sampleID(number * 1000), bytes: bytes.span.bytes, mark: LogMark(stream, at: moment(number)),
                dropped: 0)
        }
        try print(6, "began\nno such ta")
        try print(6, "ble: feeds\n", .stdout)
        try print(6, "\n")
        try print(6, "a remark of the host\n", .host)
        try print(5, "all is well\n")
        try store.commit()
        let runs = try store.history.runs(limit: 10)
        #expect(runs.first { $0.id == sampleID(6000) }?.lastLine == "no such table: feeds")
        #expect(runs.filter { $0.lastLine != nil }.count == 1)
    }
}

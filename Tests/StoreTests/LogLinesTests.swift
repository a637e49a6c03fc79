import Record
import TaskModel
import Testing

struct LogLinesTests {
    private func part(_ number: Int64, _ stream: LogStream?, _ text: String) -> LogPart {
        LogPart(
            number: number, mark: stream.map { LogMark($0, at: moment(number)) }, bytes: Array(text.utf8))
    }

    private func texts(_ lines: LogLines) -> [String] {
        lines.lines.map { String(decoding: $0.text, as: UTF8.self) + ($0.isWhole ? "" : "…") }
    }

    @Test func `Each stream has its own lines, in the order in which they begin`() {
        var lines = LogLines(from: LogPlace(number: 0))
        for part in [
            part(1, .stdout, "one\ntw"), part(2, .stderr, "error\nhalf"), part(3, .stdout, "o\n\n"),
            part(4, .log, "info: x\n"),
            part(6, nil, "old"),
        ] { lines.add(part) }
        #expect(texts(lines) == ["one", "two", "error", "half…", "", "info: x", "old…"])
        let times: [Int64?] = [1, 1, 2, 2, 3, 4, nil]
        #expect(lines.lines.map { $0.mark?.at } == times.map { time in time.map { moment($0) } })
        #expect(lines.place == LogPlace(part: 6, skipped: 3))
    }

    @Test func `A remark of the host has no empty line before it`() {
        var lines = LogLines(from: LogPlace(number: 0))
        lines.add(part(1, .stdout, "half"))
        lines.add(part(2, .host, "\ntaskhost: 3 bytes are left out here\n"))
        #expect(texts(lines) == ["half…", "taskhost: 3 bytes are left out here"])
    }

    @Test func `Answers of so many lines each give all of them, whatever the parts`() {
        let count = LogLines.most * 2 + 1
        let parts = [
            part(1, .stdout, String(repeating: "x\n", count: count - 2)), part(2, .stdout, "y\nz\n"),
            part(3, .stdout, "rest"),
        ]
        var seen: [String] = []
        var place = LogPlace(number: 0)
        var answers = 0
        while answers < 9 {
            var lines = LogLines(from: LogPlace(number: place.number))
            for part in parts where part.number >= place.part && !lines.isFull { lines.add(part) }
            #expect(lines.lines.count <= LogLines.most)
            if lines.place == place { break }
            seen += texts(lines)
            place = lines.place
            answers += 1
        }
        #expect(answers == 3)
        #expect(seen == Array(repeating: "x", count: count - 2) + ["y", "z", "rest…"])
    }

    @Test(arguments: [(0, 0), (1, 0), (7, RecordLimits.outputPart), (4_000_000_000, 12)] as [(Int64, Int)])
    func `A place is one number`(_ part: Int64, _ skipped: Int) {
        let place = LogPlace(part: part, skipped: skipped)
        #expect(LogPlace(number: place.number) == place)
        #expect(place.number < 1 << 53)
    }
}

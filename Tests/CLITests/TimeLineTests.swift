import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// Runs whose times are made up: their pictures are always the same.
@Suite("The time line of runs", .plainBuild)
struct TimeLineTests {
    /// 2026-03-01T12:00:00Z and so many seconds.
    private static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: 1_772_366_400_000_000_000 + Int64(seconds * 1e9))
    }

    private static func id(_ number: Int64) -> ULID { ULID(at: moment(Double(number)), random: (0, UInt64(number))) }

    /// One in one block, and one in pieces; `x` is the end of their application.
    private func folder() throws -> Folder {
        let folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.file("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try Store(path: folder.file("state/taskhost.db").path)
        let task = try store.taskRow(identifier: "com.example.notes.export", application: "com.example.notes")
        var record = TurnRecord(turn: 1)
        let pauses: [Int64: [(Double, Double)]] = [1: [], 2: [(10, 20), (25, 40), (40.1, 58)]]
        for (number, length) in [(1, 60), (2, 60)] as [(Int64, Double)] {
            record.append(
                .runBegan(
                    RunStart(
                        id: Self.id(number), task: task, attempt: 1, submittedAt: Self.moment(0),
                        startedAt: Self.moment(0)), waits: []))
            var frozen = 0.0
            for (from, to) in pauses[number] ?? [] {
                record.append(.runPaused(Self.id(number), at: Self.moment(from)))
                record.append(.runResumed(Self.id(number), at: Self.moment(to)))
                frozen += to - from
            }
            var end = RunEnd(
                id: Self.id(number), outcome: number == 1 ? .succeeded : .interrupted,
                reason: number == 1 ? nil : .applicationTerminated, startedAt: Self.moment(0),
                endedAt: Self.moment(length),
                figures: RunFigures(wallTime: TimeSpan(nanoseconds: Int64((length - frozen) * 1e9))))
            end.figures.frozenTime = frozen > 0 ? TimeSpan(nanoseconds: Int64(frozen * 1e9)) : nil
            record.append(.runEnded(end, RunEvents()))
        }
        record.append(
            .termination(
                Termination(application: "com.example.notes", at: Self.moment(59), reason: .appWatchdog)))
        try store.write(record)
        return folder
    }

    private func show(_ number: Int64, _ folder: Folder) throws -> [String] {
        let text = try folder.ask("show", "--utc", Self.id(number).description).output
        let lines = text.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("time line") }, "\(text)")
        return Array(lines[start..<start + 3])
    }

    @Test("is one block when nothing came in between")
    func block() throws {
        #expect(
            try show(1, folder()) == [
                "time line, 2026-03-01T12:00:00.000Z to 2026-03-01T12:01:00.000Z",
                "  |############################################################################|",
                "  # ran 1 m",
            ])
    }

    @Test("is pieces between sleeps, however short a piece is, with both times")
    func pieces() throws {
        let folder = try folder()
        #expect(
            try show(2, folder) == [
                "time line, 2026-03-01T12:00:00.000Z to 2026-03-01T12:01:00.000Z",
                "  |#############............#######..................#......................###|",
                "  # ran 17.1 s in 4 pieces, . stood still 42.9 s",
            ])
        let facts = try folder.ask("show", Self.id(2).description).output
        #expect(facts.contains("frozen       42.9 s, not part of the wall time"), "\(facts)")
        let document = try folder.ask("show", Self.id(2).description, "--json").document
        #expect(document["frozenTime"] as? Double == 42.9 && document["wallTime"] as? Double == 17.1)
        let pauses = try #require(document["pauses"] as? [[String: Any]])
        #expect(pauses.map { $0["from"] as? String }.first == "2026-03-01T12:00:10.000Z" && pauses.count == 3)
        #expect((document["termination"] as? [String: Any])?["at"] as? String == "2026-03-01T12:00:59.000Z")
    }

    @Test("has all runs on one scale, and the ends of their application")
    func all() throws {
        let folder = try folder()
        let plain = try folder.ask("history", "--utc", "--timeline").output.split(separator: "\n").map(String.init)
        let runs = [
            "com.example.notes.export  interrupted  |#######......###..........#...........#|",
            "com.example.notes.export  succeeded    |#######################################|",
        ]
        #expect(
            plain == ["2026-03-01T12:00:00.000Z to 2026-03-01T12:01:00.000Z; # ran, . stood still"] + runs)
        let whole = try folder.ask("history", "--utc", "--timeline", "--application", "com.example.notes").output
        #expect(
            whole.split(separator: "\n").map(String.init) == [
                "2026-03-01T12:00:00.000Z to 2026-03-01T12:01:00.000Z; # ran, . stood still, x was terminated",
                runs[0], runs[1],
                "com.example.notes         terminated   |                                      x|",
            ])
    }

    @Test("is as wide as the terminal")
    func width() throws {
        let folder = try folder()
        let script = """
            import fcntl, os, pty, struct, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, 60, 0, 0))
                os.execv(sys.argv[1], sys.argv[1:])
            seen = b""
            try:
                while part := os.read(terminal, 4096): seen += part
            except OSError: pass
            print(seen.decode())
            """
        let state = folder.file("state").path
        let text = try Tool.execute(
            "/usr/bin/python3",
            ["-c", script, Places.taskhost.path, "show", Self.id(1).description, "--state", state]
        ).output
        #expect(text.contains("  |" + String(repeating: "#", count: 56) + "|"), "\(text)")
    }

    @Test("has the sleeps of the machine below, where there were any")
    func sleeps() throws {
        let folder = try folder()
        let store = try Store(path: folder.file("state/taskhost.db").path)
        var record = TurnRecord(turn: 1)
        for (at, value) in [(-9, "off"), (10, "on"), (20, "off"), (40.1, "on"), (58, "off"), (70, "on")] {
            record.append(.device(DeviceLogEntry(at: Self.moment(at), condition: .sleep, value: value)))
        }
        try store.write(record)
        let text = try folder.ask("show", "--utc", Self.id(2).description).output
        let lines = text.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("time line") }, "\(text)")
        #expect(
            Array(lines[start..<start + 4]) == [
                "time line, 2026-03-01T12:00:00.000Z to 2026-03-01T12:01:00.000Z",
                "  run      |###########...........######................#....................##|",
                "  machine  |           zzzzzzzzzzz                       zzzzzzzzzzzzzzzzzzzz  |",
                "  # ran 17.1 s in 4 pieces, . stood still 42.9 s; z the machine slept 27.9 s",
            ], "\(text)")
        let all = try folder.ask("history", "--timeline").output
        #expect(all.contains("the machine               slept        |      zzzzzzz "), "\(all)")
    }
}

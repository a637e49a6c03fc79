import Foundation
import JSON
import TaskModel
import TestSupport
import Testing
import Wire

/// An application that speaks to the host past its worker, of what is not its own and of what cannot be.
@Suite("What a hostile application says of sessions and transfers")
struct HostileFrameTests {
    private static let other = "org.taskhost.fixtures.others"

    private let bench: TransferBench

    init() throws {
        bench = try TransferBench(files: ["a": 40_000, "big": 900_000])
        var neighbour = try ManifestText(fixture: "fixtures.transfers")
        neighbour["identifier"] = Self.other
        neighbour["permissions"] = ["network": ["loopback:\(bench.web.port())"]]
        neighbour["tasks"] = [
            Self.other + ".work": ["kind": "processing", "budget": ["wallClock": "30s", "grace": "1s"]]
        ]
        try bench.station.add(neighbour)
        try bench.daemon.tell("reload")
        try bench.daemon.tell("foreground", Self.other)
        try bench.daemon.tell("foreground", TransferBench.application)
    }

    private func neighbourPerforms(_ lines: String...) throws {
        let words = ["run", Self.other + ".work", "--payload-text", lines.joined(separator: "\n")]
        let run = try bench.station.start(words, manifests: false).finish()
        guard run.succeeded else { throw Problem("\(run)") }
    }

    private var neighbourPath: String { bench.station.state + "/applications/\(Self.other)/state/trace" }

    private func neighbourTrace() throws -> [String] {
        try String(contentsOfFile: neighbourPath, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Says it from a run; how that ended.
    @discardableResult
    private func say(_ frames: [[UInt8]], before: [String] = ["have s"]) throws -> Command {
        let lines =
            before
            + frames.map { frame in
                "frame " + frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        let words = ["run", TransferBench.work, "--payload-text", lines.joined(separator: "\n")]
        return try bench.station.start(words, manifests: false).finish()
    }

    private func request(_ url: String, _ change: (inout TransferRequest) -> Void = { _ in }) -> TransferRequest {
        var request = TransferRequest(kind: .download, url: url, method: "GET")
        change(&request)
        return request
    }

    @Test("has no effect where it names another's")
    func foreign() throws {
        try neighbourPerforms(
            "open t", "replay t", "silent", "download t \(bench.web.url("a"))",
            "download t \(bench.web.url("throttled/big?rate=200k"))", "create t \(bench.web.url("a"))")
        let written = try GrowingFile(neighbourPath)
        try written.wait(for: "completed t 1") { $0.hasPrefix("completed t 1 ") }
        try bench.perform("open s", "replay s")
        // The numbers of sessions are small: one of them is the neighbour's.
        var frames: [[UInt8]] = []
        for session in [UInt32](0..<6) + [.max, .max - 1] {
            for number in [UInt32](0..<4) + [.max] {
                for change in [ChangeTransfer.Change.cancel, .suspend, .resume, .priority(1), .text("stolen")] {
                    frames.append(ChangeTransfer(session: session, number: number, change).frame())
                }
                frames.append(AnswerTransfer(session: session, number: number, .cancel).frame() ?? [])
            }
        }
        // Of its own session there is no such event, which ends its process: those come last.
        #expect(try say(frames.filter { !$0.isEmpty }).succeeded)
        for session in [UInt32](0..<4) + [.max] {
            var last = [SessionCommand(session: session, .invalidate).frame()]
            last += [UInt64(1), .max].map { AcknowledgeTransfer(session: session, sequence: $0).frame() }
            _ = try say(last)
        }
        try written.wait(for: "completed t 2") { $0.hasPrefix("completed t 2 ") }
        let trace = try neighbourTrace()
        #expect(trace.filter { $0.hasPrefix("completed t") }.allSatisfy { $0.contains(" error 0 ") }, "\(trace)")
        // No process has acknowledged events in its place; what it only made still waits for it.
        try bench.daemon.tell("quit", Self.other)
        try bench.daemon.tell("foreground", Self.other)
        try neighbourPerforms("have t", "await 3")
        let again = try neighbourTrace().drop { $0 != "terminates" }
        #expect(again.contains { $0.hasPrefix("completed t 1 ") && $0.contains(" error 0 ") }, "\(again)")
        #expect(again.contains { $0.hasPrefix("completed t 2 ") && $0.contains(" error 0 ") }, "\(again)")
        #expect(again.contains { $0.hasPrefix("completed t 3 ") && $0.contains(" error -999 ") }, "\(again)")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("ends its process where it cannot be, and nothing else")
    func impossible() throws {
        try bench.perform("open s", "replay s", "download s \(bench.web.url("a"))")
        try bench.waitFor("completed s 1 ")
        let url = bench.web.url("a")
        let own = try session()
        let impossible: [[UInt8]?] = [
            CreateTransfer(session: own, number: 0, request: request(url)).frame(),
            CreateTransfer(session: own, number: 1, request: request(url)).frame(),
            CreateTransfer(session: own, number: .max, request: request(url)).frame(),
            CreateTransfer(session: own, number: 100, request: request(url) { $0.priority = .nan }).frame(),
            CreateTransfer(session: own, number: 100, request: request(url) { $0.priority = .infinity }).frame(),
            CreateTransfer(session: own, number: 100, request: request(url) { $0.priority = -1 }).frame(),
            ChangeTransfer(session: own, number: 1, .priority(.nan)).frame(),
            AcknowledgeTransfer(session: own, sequence: 1_000_000).frame(),
        ]
        for (place, frame) in impossible.enumerated() {
            let run = try say([try #require(frame)], before: ["have s", "sleep 0"])
            // Its number was no honest worker's, nor was the value: the host no longer reads from such a worker.
            #expect(!run.succeeded, "\(place): \(run)")
        }
        try bench.perform("have s", "download s \(url)")
        let number = try #require(try bench.trace().last { $0.hasPrefix("created s ") }?.split(separator: " ")[2])
        try bench.waitFor("completed s \(number) ")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("is refused where it is too long once it is text, and harms no other process")
    func noText() throws {
        try bench.perform("open s", "replay s", "download s \(bench.web.url("throttled/big?rate=200k"))")
        try bench.waitFor("progress s 1 ")
        let own = try session()
        let marker = String(repeating: "%", count: 1700)
        var frame = try #require(
            CreateTransfer(session: own, number: 2, request: request(bench.web.url("a?" + marker))).frame())
        for place in frame.indices where frame[place] == UInt8(ascii: "%") { frame[place] = 0xFF }
        #expect(try !say([frame, ChangeTransfer(session: own, number: 2, .resume).frame()]).succeeded)
        // The download continues in the process that it began in.
        try bench.perform("have s")
        try bench.waitFor("completed s 1 ")
        #expect(try bench.kept(1) == bench.files["big"])
        #expect(try bench.transfers().allSatisfy { $0["attempts"]?.integer == 1 })
        #expect(try !bench.daemon.tell("journal").contains("transferProcessLost"))
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("is refused where it makes more than it may, and its process continues though it does not listen")
    func tooMany() throws {
        try bench.perform("open s", "replay s", "silent")
        let own = try session()
        var number: UInt32 = 10
        var isEnded = false
        // A payload has room for some two hundred.
        while !isEnded, number < 24_000 {
            let frames = try (0..<180).map { place in
                try #require(
                    CreateTransfer(session: own, number: number + place, request: request("ftp://x")).frame())
            }
            number += 180
            isEnded = try !say(frames).succeeded
        }
        #expect(!isEnded, "\(number)")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("may be as large as numbers get")
    func extreme() throws {
        try bench.perform("open s", "replay s")
        let url = bench.web.url("a")
        var frames: [[UInt8]] = []
        var number: UInt32 = 10
        for value: Int64 in [.max, .max - 1, 0, 1] {
            for date in [Timestamp?.none, Timestamp(nanoseconds: .max), Timestamp(nanoseconds: .min)] {
                let wish = request(url) {
                    $0.earliest = date
                    $0.expectedReceive = value
                    $0.expectedSend = value
                    $0.timeout = TimeSpan(nanoseconds: value)
                    $0.priority = 1
                }
                number += 1
                frames.append(
                    try #require(CreateTransfer(session: try session(), number: number, request: wish).frame()))
                frames.append(ChangeTransfer(session: try session(), number: number, .resume).frame())
                frames.append(ChangeTransfer(session: try session(), number: number, .earliest(date)).frame())
                frames.append(
                    ChangeTransfer(session: try session(), number: number, .expected(send: value, receive: value))
                        .frame())
            }
        }
        for (place, value) in [Int64.max, 0 as Int64, 1 as Int64].enumerated() {
            var options = SessionOptions()
            options.requestTimeout = TimeSpan(nanoseconds: value)
            options.resourceTimeout = TimeSpan(nanoseconds: value)
            options.connectionsPerHost = value == 0 ? 0 : .max
            frames.append(OpenSession(identifier: "extreme\(place)", options: options).frame(callID: 7_000_000))
        }
        frames.append(
            try #require(CreateTransfer(session: try session(), number: .max - 1, request: request(url)).frame()))
        #expect(try say(frames).succeeded)
        let listed = try bench.transfers()
        #expect(listed.count == 13, "\(listed)")
        for one in listed { #expect(try bench.daemon.tell("transfers", "show", "\(one["id"]?.integer ?? 0)") != "") }
        // Of another session, since this one has no numbers left.
        try bench.perform("open t", "replay t", "download t \(url)")
        try bench.waitFor("completed t 1 ")
        #expect(try bench.daemon.stop().status == 0)
    }

    /// What frames call the session `s`.
    private func session() throws -> UInt32 {
        let line = try #require(try bench.trace().last { $0.hasPrefix("opened s ") })
        return try #require(line.split(separator: " ").last.flatMap { UInt32($0) })
    }
}

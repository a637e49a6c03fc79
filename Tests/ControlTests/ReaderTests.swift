import CLinux
import Control
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Those who may only look")
struct ReaderTests {
    /// One after the other: what the kernel says of a peer is the test's own user each time.
    private final class Turns {
        var access: [Peer.Access] = []
        func next() -> Peer.Access { access.isEmpty ? .all : access.removeFirst() }
    }

    @Test("keep no other user out, however many connect; beyond their own bound they get an error")
    func connections() throws {
        var limits = ServerLimits()
        limits.connections = 2
        limits.readerConnections = 3
        let turns = Turns()
        turns.access = Array(repeating: .read, count: 4)
        let bench = try Bench(limits: limits) { _, _ in turns.next() }
        var answers: [(ControlReply) -> Void] = []
        bench.handler.answering = { request, answer in
            if request.path == "/wait" { answers.append(answer) } else { answer(.text([])) }
        }
        let busy = try (0..<3).map { _ in try bench.client() }
        for client in busy { client.send(get("/wait")) }
        try bench.wait { answers.count == 3 }
        // All of theirs are busy: one more is not left in the queue that all share.
        #expect(try bench.ask(get("/a")).statuses == [503])
        #expect(try bench.ask(get("/a")).statuses == [200], "the host's own user has its own places")
        for answer in answers { answer(.text([])) }
        try bench.wait { busy.allSatisfy { $0.replies.count == 1 } }
        // An idle one makes room for the next.
        turns.access = [.read]
        #expect(try bench.ask(get("/a")).statuses == [200])
        try bench.wait {
            busy.forEach { $0.read() }
            return busy.contains { $0.isAtEnd }
        }
    }

    @Test("have their own streams, and leave the others'")
    func streams() throws {
        var limits = ServerLimits()
        limits.streams = 1
        limits.readerStreams = 2
        let turns = Turns()
        turns.access = [.read, .read, .read]
        let bench = try Bench(limits: limits) { _, _ in turns.next() }
        let readers = try (0..<2).map { _ in try bench.client() }
        for client in readers { client.send(get("/v1/events")) }
        try bench.wait { bench.handler.streams.count == 2 }
        #expect(try bench.ask(get("/v1/events")).statuses == [503])
        let own = try bench.client()
        own.send(get("/v1/events"))
        try bench.wait { bench.handler.streams.count == 3 }
        #expect(try bench.ask(get("/v1/events")).statuses == [503])
        bench.handler.streams[0].finish()
        try bench.wait { bench.handler.closedStreams == 1 }
        turns.access = [.read]
        let next = try bench.client()
        next.send(get("/v1/events"))
        try bench.wait { bench.handler.streams.count == 4 }
    }

    @Test("A connection waits for a place in a full queue, and gives up when there is none")
    func queue() throws {
        let folder = try FileSystem.makeTemporaryFolder("/tmp/taskhost-control-")
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/s"
        let listener = Descriptor(adopting: try check(clinux_unix_listen(path, 0o600, 0), "bind"))
        let first = Descriptor(adopting: try check(clinux_unix_connect(path), "connect"))
        #expect(clinux_unix_connect(path) == -EAGAIN, "the queue is full")
        #expect(clinux_unix_connect_within(path, 50) == -EAGAIN)
        let number = listener.number
        // PID/task/TID (proc(5)).
        let waiter = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        let taker = Thread {
            // Once the other thread sleeps, it waits for the place.
            var patience = Patience()
            while !Self.sleeps(waiter) && patience.milliseconds() != nil { sched_yield() }
            let taken = accept(number, nil, nil)
            close(taken)
        }
        taker.start()
        let second = clinux_unix_connect_within(path, 60_000)
        #expect(second >= 0 && fcntl(second, F_GETFL) & O_NONBLOCK != 0)
        close(second)
        _ = first.number
    }

    /// Whether the thread of this process waits in the kernel (proc(5), `stat`).
    private static func sleeps(_ thread: String) -> Bool {
        guard let text = try? FileText.read("/proc/\(thread)/stat"), let end = text.lastIndex(of: ")") else {
            return false
        }
        return text[end...].dropFirst(2).first == "S"
    }
}

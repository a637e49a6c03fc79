import Control
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Clients that vanish, and servers that stop")
struct VanishingTests {
    @Test("A client that leaves before its answer is forgotten, and the answer is dropped")
    func gone() throws {
        let bench = try Bench()
        var answers: [(ControlReply) -> Void] = []
        bench.handler.answering = { answers.append($1) }
        for _ in 0..<10 {
            var client: RawClient? = try bench.client()
            client?.send(get("/a"))
            let expected = answers.count + 1
            try bench.wait { answers.count == expected }
            client = nil
        }
        try bench.wait { bench.server.connectionCount == 0 }
        for answer in answers { answer(.text([])) }
        bench.handler.answering = nil
        #expect(try bench.ask(get("/b")).statuses == [200])
    }

    @Test("A client that closes its side after the request gets its answer")
    func halfClosed() throws {
        let bench = try Bench()
        var answers: [(ControlReply) -> Void] = []
        bench.handler.answering = { answers.append($1) }
        let client = try bench.client()
        client.send(get("/a"))
        shutdown(client.descriptor, Int32(SHUT_WR))
        try bench.wait { answers.count == 1 }
        _ = try bench.loop.run(for: .milliseconds(50)) { false }
        answers[0](.text(Array("here".utf8)))
        try bench.wait { client.replies.count == 1 }
        #expect(client.replies[0].body == "here")
    }

    @Test("Half requests and unread replies of clients that go leave nothing behind")
    func halfRequests() throws {
        let bench = try Bench()
        for text in [
            "", "GET", "GET / HTTP/1.1\r\n", post("/", "{}").dropLast().description, get("/a"), get("/a") + get("/b"),
        ] {
            var client: RawClient? = try bench.client()
            client?.send(text)
            _ = client
            client = nil
        }
        try bench.wait { bench.server.connectionCount == 0 }
        #expect(try bench.ask(get("/b")).statuses == [200])
    }

    @Test("A stream whose reader goes is closed at once", arguments: [false, true])
    func streamGone(_ halfOnly: Bool) throws {
        let bench = try Bench()
        var client: RawClient? = try bench.client()
        client?.send(get("/v1/events"))
        try bench.wait { bench.handler.streams.count == 1 && client?.text.contains("retry") == true }
        if halfOnly { shutdown(client!.descriptor, Int32(SHUT_WR)) } else { client = nil }
        try bench.wait { bench.handler.closedStreams == 1 && bench.server.connectionCount == 0 }
        bench.handler.streams[0].send(StreamedEvent("late", id: 1, data: []))
    }

    @Test("A reader that is too slow is cut when its buffer is full, and others continue")
    func lag() throws {
        var limits = ServerLimits()
        limits.streamBytes = 64 << 10
        let bench = try Bench(limits: limits)
        let slow = try bench.client()
        let quick = try bench.client()
        for client in [slow, quick] { client.send(get("/v1/events")) }
        try bench.wait { bench.handler.streams.count == 2 }
        let data = Array(#"{"text":"\#(String(repeating: "x", count: 1000))"}"#.utf8)
        var id: UInt64 = 0
        try bench.wait {
            quick.read()
            if id < 1000 {
                id += 1
                let event = StreamedEvent("e", id: id, data: data)
                for stream in bench.handler.streams { stream.send(event) }
            }
            return bench.handler.closedStreams == 1 && quick.tail.contains("id: 1000\n")
        }
        let ids = quick.text.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
        #expect(ids == Array(1...1000))
        try bench.wait {
            slow.read()
            return slow.isAtEnd
        }
        #expect(!slow.text.contains("id: 1000\n"))
    }

    @Test("Readers that never read have one bound together, and the one that reads loses nothing")
    func together() throws {
        let bench = try Bench()
        let most = ServerLimits().heldEventBytes
        let quick = try bench.client()
        let slow = try (0..<48).map { _ in try bench.client() }
        for client in [quick] + slow { client.send(get("/v1/events")) }
        try bench.wait { bench.handler.streams.count == 49 }
        let data = Array(#"{"text":"\#(String(repeating: "x", count: 4000))"}"#.utf8)
        // Each gets its own events, nearly as many as one alone may leave unread beside what its socket takes.
        for id in 1...100 {
            for (index, stream) in bench.handler.streams.enumerated() {
                stream.send(StreamedEvent("e", id: UInt64(1000 * id + index), data: data))
                #expect(bench.server.heldEventBytes <= most)
            }
            try bench.wait {
                quick.read()
                return quick.received.count > id * data.count
            }
        }
        #expect(bench.handler.streams.count(where: \.wasDropped) > 10)
        try bench.wait { bench.handler.closedStreams == bench.handler.streams.count(where: \.wasDropped) }
        #expect(quick.text.split(separator: "\n").count { $0.hasPrefix("id: ") } == 100)
        for stream in bench.handler.streams { stream.finish() }
        try bench.wait {
            for client in slow { client.read() }
            return bench.handler.closedStreams == 49
        }
        #expect(bench.server.heldEventBytes == 0)
    }

    @Test("An event counts once, however many have yet to read it")
    func shared() throws {
        let bench = try Bench()
        let slow = try (0..<48).map { _ in try bench.client() }
        for client in slow { client.send(get("/v1/events")) }
        try bench.wait { bench.handler.streams.count == 48 }
        let data = Array(#"{"text":"\#(String(repeating: "x", count: 4000))"}"#.utf8)
        for id in 1...60 {
            let event = StreamedEvent("e", id: UInt64(id), data: data)
            for stream in bench.handler.streams { stream.send(event) }
        }
        #expect(bench.handler.streams.count(where: \.wasDropped) == 0)
        #expect(bench.server.heldEventBytes < 256 << 10)
    }

    @Test("More streams than allowed are refused with 503")
    func streamLimit() throws {
        var limits = ServerLimits()
        limits.streams = 2
        let bench = try Bench(limits: limits)
        let clients = try (0..<2).map { _ in try bench.client() }
        for client in clients { client.send(get("/v1/events")) }
        try bench.wait { bench.handler.streams.count == 2 }
        #expect(try bench.ask(get("/v1/events")).statuses == [503])
        bench.handler.streams[0].finish()
        try bench.wait { bench.handler.closedStreams == 1 }
        let next = try bench.client()
        next.send(get("/v1/events"))
        try bench.wait { bench.handler.streams.count == 3 }
    }

    @Test("Closing answers those who wait with 503, ends streams, and removes the socket")
    func closing() throws {
        let bench = try Bench()
        bench.handler.answering = { _, _ in }
        let waiting = try (0..<3).map { _ in try bench.client() }
        for client in waiting { client.send(get("/a")) }
        let reader = try bench.client()
        reader.send(get("/v1/events"))
        let idle = try bench.client()
        try bench.wait { bench.handler.requests.count == 3 && reader.text.contains("retry") }
        bench.server.close()
        for client in waiting { #expect(client.statuses == [503]) }
        #expect(reader.text.hasSuffix("0\r\n\r\n"), "the stream's last chunk")
        idle.read()
        #expect(idle.isAtEnd)
        #expect(bench.handler.closedStreams == 1)
        #expect(throws: SystemError.self) { try FileSystem.facts(ofPath: bench.folder + "/control.sock") }
    }
}

import Control
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A browser at a daemon")
struct BrowserServingTests {
    private static let task = "org.taskhost.page.pass"

    private func daemon() throws -> Daemon {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.page", ["pass": "stage_pass"])
        manifest.setTask(Self.task, "requires", ["idle": false])
        try station.add(manifest)
        return try Daemon(station)
    }

    private func run(_ daemon: Daemon) throws {
        let run = try daemon.station.start(["run", Self.task, "--quiet"], manifests: false).finish()
        #expect(run.succeeded, "\(run)")
    }

    @Test("gets a key for a link, once, and what the daemon answers its user")
    func asks() throws {
        let daemon = try daemon()
        let page = try BrowserPage(daemon.station, "--no-open")
        let key = try page.key()
        let again = try page.exchange(page.token)
        #expect(again.status == 403 && again["detail"]?.contains("run taskhost ui again") == true)
        for path in ["/v1/tasks", "/v1/openapi.json", "/v1/tasks/\(Self.task)/why", "/v1/runs?limit=0", "/v1/none"] {
            let reply = try page.ask(path, key: key)
            let own = try daemon.ask(.get, path)
            #expect(reply.status == own.status && reply.body == own.text, "\(path)")
            #expect(reply.head.contains("Content-Security-Policy: default-src 'none';"))
            #expect(!reply.head.contains("Set-Cookie"))
            #expect(try page.ask(path).status == 401)
        }
        #expect(try page.ask("/metrics", key: key).body.contains("taskhost_runs_total"))
        // What changes something needs the page's origin.
        let body = ["-H", "Content-Type: application/json", "-d", #"{"identifiers": ["\#(Self.task)"]}"#]
        func start(_ words: String...) throws -> Int {
            let words = words + body
            return try page.ask("/v1/runs", key: key, words[0], words[1], words[2], words[3], words[4], words[5]).status
        }
        #expect(try start("-H", "Origin: http://evil.example") == 403)
        #expect(try start("-H", "Accept: */*") == 403)
        #expect(try start("-H", "Origin: \(page.address)") == 202)
        try daemon.wait(for: "run.ended", Self.task)
        #expect(try page.ask("/v1/host", key: key, "-H", "Host: evil.example").status == 421)
        #expect(try page.ask("/v1/host", key: key, "-H", "Host: localhost:\(page.port)").status == 200)
        #expect(try page.ask("/v1/host", key: key, "-H", "Sec-Fetch-Site: cross-site").status == 403)
        try page.program.signal(SIGTERM)
        #expect(try page.program.finish().status == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("receives every event, also those that it has missed")
    func events() throws {
        let daemon = try daemon()
        let page = try BrowserPage(daemon.station, "--no-open")
        let key = try page.key()
        let stream = try page.events(key)
        try run(daemon)
        try stream.wait(forText: "event: run.ended")
        let id = try #require(stream.output.firstMatch(of: /event: run.submitted\nid: ([0-9]+)/)?.1)
        let back = try page.events(key, after: String(id))
        try back.wait(forText: "event: run.ended")
        // The same bytes, from the event after that one on.
        let told = try #require(back.output.components(separatedBy: "\n\n").dropFirst().first)
        #expect(stream.output.contains(told) && !back.output.contains("event: run.submitted"))
        try run(daemon)
        try back.wait(forText: "event: run.ended", count: 2)
        #expect(try daemon.stop().status == 0)
        // The daemon's own end of the stream is one that the browser sees.
        #expect(try stream.finish().status == 0)
        #expect(try page.ask("/v1/host", key: key).status == 502)
    }

    @Test("loses its stream when the daemon is killed, and finds the next one with the same key")
    func restart() throws {
        let first = try daemon()
        let page = try BrowserPage(first.station, "--no-open")
        let key = try page.key()
        let stream = try page.events(key)
        try first.program.signal(SIGKILL)
        _ = try first.program.finish()
        // 18: the reply is not whole.
        #expect(try stream.finish().status == 18)
        for _ in 0..<3 {
            let reply = try page.ask("/v1/host", key: key)
            #expect(reply.status == 502 && reply["type"] == "urn:taskhost:problem:unreachable")
            #expect(reply.head.contains("application/problem+json"))
        }
        let second = try Daemon(first.station)
        #expect(try page.ask("/v1/host", key: key).status == 200)
        let after = try page.events(key)
        try run(second)
        try after.wait(forText: "event: run.ended")
        #expect(try second.stop().status == 0)
    }

    @Test("that guesses keys ends the page, and says so")
    func besieged() throws {
        let daemon = try daemon()
        let held = try HeldPort()
        let page = try BrowserPage(daemon.station, "--no-open", "--port", "\(held.number)")
        #expect(page.port == "\(held.number)")
        for count in 1...10 { #expect(try page.ask("/v1/host", key: "\(count)").status == 401) }
        let end = try page.program.finish()
        #expect(end.status == 1 && end.errors.contains("taskhost: 10 wrong keys were sent; 127.0.0.1:\(page.port)"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("changes nothing where that is not wanted")
    func readOnly() throws {
        let daemon = try daemon()
        let page = try BrowserPage(daemon.station, "--no-open", "--read-only", "--json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(page.program.output.utf8)) as? [String: Any])
        #expect(document["url"] as? String == "\(page.address)/#token=\(page.token)")
        #expect(document["port"] as? Int == Int(page.port) && document["readOnly"] as? Bool == true)
        let key = try page.key()
        #expect(try page.ask("/v1/tasks", key: key).status == 200)
        let origin = "Origin: \(page.address)"
        let reply = try page.ask("/v1/reload", key: key, "-H", origin, "-X", "POST")
        #expect(reply.status == 403 && reply["type"] == "urn:taskhost:problem:read-only")
        let json = "Content-Type: application/json"
        let forecast = try page.ask("/v1/forecast", key: key, "-H", origin, "-H", json, "-d", #"{"days": 1}"#)
        #expect(forecast.status == 200)
        try page.program.signal(SIGINT)
        #expect(try page.program.finish().status == 0)
        #expect(try daemon.stop().status == 0)
    }

    @Test("that asks for much and reads nothing costs no memory, and others are answered")
    func slow() throws {
        let daemon = try daemon()
        let page = try BrowserPage(daemon.station, "--no-open")
        let key = try page.key()
        _ = try page.ask("/v1/openapi.json", key: key)
        let before = try page.status("VmRSS")
        // 6 times 40 documents of 150 KB, 36 MB in all; and a hundred connections that say nothing.
        let script = """
            import socket, sys, time
            def connect():
                s = socket.socket()
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                s.connect(("127.0.0.1", int(sys.argv[1])))
                return s
            ask = f"GET /v1/openapi.json HTTP/1.1\\r\\nHost: 127.0.0.1:{sys.argv[1]}\\r\\nAuthorization: Bearer {sys.argv[2]}\\r\\n\\r\\n"
            slow = [connect() for _ in range(6)]
            for s in slow: s.sendall(ask.encode() * 40)
            for s in slow: assert s.recv(12) == b"HTTP/1.1 200", "no reply"
            silent = [connect() for _ in range(100)]
            print("ready", flush=True)
            time.sleep(600)
            """
        let clients = try Program("python3", ["-c", script, page.port, key])
        try clients.wait(forText: "ready")
        for _ in 0..<20 { #expect(try page.ask("/v1/host", key: key).status == 200) }
        let grown = try page.status("VmRSS") - before
        // 32 KiB of the library for each connection, 64 KiB of a flow, and what the allocator keeps.
        #expect(grown < 12 << 10, "\(grown) KiB")
        try clients.signal(SIGKILL)
        #expect(try page.ask("/v1/host", key: key).status == 200)
        #expect(try daemon.stop().status == 0)
    }
}

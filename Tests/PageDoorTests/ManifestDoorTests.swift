import Control
import JSON
import Linux
import PageDoor
import TaskModel
import TestSupport
import Testing

@Suite("The page's manifests")
struct ManifestDoorTests {
    /// Plays what reads and writes manifests: says what it is asked.
    private final class Desk: PageManifests {
        let mostBytes = 1 << 20
        var calls: [String] = []
        var writes: () throws(Control.Problem) -> ControlReply = { .json(["digest": "d"]) }

        func show(_ path: String, of known: KnownManifests, isReadOnly: Bool) -> JSONOutput {
            calls.append("show \(path)")
            return [
                "path": .string(path), "places": .array(known.places.map(JSONOutput.string)),
                "mayWrite": .bool(!isReadOnly),
            ]
        }
        func check(_ text: String, at path: String?, of known: KnownManifests) -> JSONOutput {
            calls.append("check \(text.utf8.count) \(path ?? "-")")
            return ["faults": []]
        }
        func write(
            _ text: String, at path: String?, replacing digest: String?, of known: KnownManifests
        ) throws(Control.Problem) -> ControlReply {
            calls.append("write \(text) \(path ?? "-") \(digest ?? "-")")
            return try writes()
        }
        func propose(_ job: ProposedJob, of known: KnownManifests) -> JSONOutput {
            calls.append("propose \(job.identifier) \(job.command) \(job.schedule ?? "-")")
            return ["text": "t"]
        }
    }

    private let desk = Desk()

    private func bench(isReadOnly: Bool = false) throws -> PageBench {
        let bench = try PageBench(isReadOnly: isReadOnly, manifests: desk)
        bench.daemon.answering = { request, answer in
            switch request.path {
            case "/v1/host": answer(.json(["manifests": ["/m"]]))
            case "/v1/manifests": answer(.json(["manifests": [["path": "/m/a.json"]]]))
            default: answer(.json(["loaded": 1]))
            }
        }
        return bench
    }

    @Test("are those that the daemon lists")
    func shows() throws {
        let bench = try bench()
        let key = try bench.key()
        let shown = try bench.reply(bench.get("/manifest?path=%2Fm%2Fa.json", key))
        #expect(shown.status == 200 && shown.body == #"{"path":"/m/a.json","places":["/m"],"mayWrite":true}"#)
        for (target, status) in [
            ("/manifest?path=%2Fm%2Fb.json", 404), ("/manifest?path=%2Fetc%2Fpasswd", 404),
            ("/manifest?path=%2Fm%2F..%2Fm%2Fa.json", 404), ("/manifest", 400), ("/manifest/check", 405),
            ("/manifest/new", 405),
        ] {
            let reply = try bench.reply(bench.get(target, key))
            #expect(
                reply.status == status && reply.has("Content-Type: application/problem+json"), "\(target): \(reply)")
        }
        #expect(desk.calls == ["show /m/a.json"])
        #expect(try bench.reply(bench.request("GET", "/manifest?path=%2Fm%2Fa.json")).status == 401)
        #expect(desk.calls.count == 1)
    }

    @Test("are read again by the daemon before a write is acknowledged")
    func writes() throws {
        let bench = try bench()
        let key = try bench.key()
        let text = bench.post("/manifest", key, #"{"path": "/m/a.json", "text": "x", "digest": "e"}"#)
        #expect(try bench.reply(text).body == #"{"digest":"d"}"#)
        #expect(desk.calls == ["write x /m/a.json e"])
        #expect(bench.daemon.requests.map(\.path) == ["/v1/host", "/v1/manifests", "/v1/reload"])
        #expect(bench.daemon.requests.last?.method == .post)
        // What was not written needs no reading.
        desk.writes = { () throws(Control.Problem) in throw .noSuchManifest("/m/a.json") }
        #expect(try bench.reply(text).status == 404)
        desk.writes = { ControlReply(status: 422, contentType: "application/problem+json", body: []) }
        #expect(try bench.reply(text).status == 422)
        #expect(bench.daemon.requests.count { $0.path == "/v1/reload" } == 1)
    }

    @Test("are checked and proposed with bodies that are understood, and bounded")
    func bodies() throws {
        let bench = try bench()
        let key = try bench.key()
        for (path, body, status) in [
            ("/manifest/check", #"{"path": null, "text": "abc"}"#, 200), ("/manifest/check", #"{"text": "abc"}"#, 200),
            ("/manifest/check", #"{"text": 5}"#, 400), ("/manifest/check", #"{"text": "a", "path": 5}"#, 400),
            ("/manifest/check", "[", 400), ("/manifest", "{}", 400),
            ("/manifest/new", #"{"identifier": "a.b", "command": ["/bin/true", "-x"], "schedule": "every 1h"}"#, 200),
            ("/manifest/new", #"{"identifier": "a.b", "command": ["/bin/true"], "schedule": null}"#, 200),
            ("/manifest/new", #"{"identifier": "a.b", "command": []}"#, 400),
            ("/manifest/new", #"{"identifier": "a.b", "command": ["a", 1]}"#, 400),
            ("/manifest/new", #"{"command": ["a"]}"#, 400),
        ] {
            let reply = try bench.reply(bench.post(path, key, body))
            #expect(reply.status == status, "\(body): \(reply)")
        }
        #expect(
            desk.calls == [
                "check 3 -", "check 3 -", #"propose a.b ["/bin/true", "-x"] every 1h"#, #"propose a.b ["/bin/true"] -"#,
            ])
        // A whole manifest of line feeds, each of which JSON writes with two bytes.
        let long = String(repeating: #"\n"#, count: desk.mostBytes)
        #expect(try bench.reply(bench.post("/manifest/check", key, #"{"text": "\#(long)"}"#)).status == 200)
        #expect(desk.calls.last == "check \(desk.mostBytes) -")
        #expect(try bench.reply(bench.post("/manifest/check", key, #"{"text": "\#(long + long)"}"#)).status == 413)
        // What goes to the daemon is no longer for that.
        #expect(try bench.reply(bench.post("/v1/runs", key, #"{"text": "\#(long)"}"#)).status == 413)
    }

    @Test("are not written where nothing may be changed")
    func readOnly() throws {
        let bench = try bench(isReadOnly: true)
        let key = try bench.key()
        let refused = try bench.reply(bench.post("/manifest", key, #"{"text": "x"}"#))
        #expect(refused.status == 403 && refused.body.contains("urn:taskhost:problem:read-only"))
        #expect(try bench.reply(bench.post("/manifest/check", key, #"{"text": "x"}"#)).status == 200)
        #expect(try bench.reply(bench.get("/manifest?path=%2Fm%2Fa.json", key)).body.contains(#""mayWrite":false"#))
        #expect(desk.calls == ["check 1 -", "show /m/a.json"])
        #expect(bench.daemon.requests.allSatisfy { $0.method == .get })
    }

    @Test("are unknown without a daemon, or where it refuses")
    func daemon() throws {
        let bench = try bench()
        let key = try bench.key()
        let text = bench.get("/manifest?path=%2Fm%2Fa.json", key)
        bench.daemon.answering = { _, answer in answer(.problem(.noSuchPath("/v1/host"))) }
        #expect(try bench.reply(text).status == 404)
        bench.daemon.answering = { _, answer in answer(.text(Array("no document".utf8))) }
        #expect(try bench.reply(text).status == 502)
        bench.stopDaemon()
        #expect(try bench.reply(text).status == 502)
        #expect(desk.calls.isEmpty)
    }

    @Test(
        "are found by the daemon's own working folder",
        arguments: [
            ("/m/a.json", ["/m"], "/m/a.json"), ("m/a.json", ["/home/u/m"], "/home/u/m/a.json"),
            ("a.json", ["/home/u/."], "/home/u/./a.json"),
            ("x/a.json", ["/home/u/x/a.json", "/m"], "/home/u/x/a.json"),
            ("m/a.json", ["/o/n"], nil), ("m/a.json", ["/a/m", "/b/m"], nil), ("m/a.json", ["/a/am"], nil),
        ] as [(String, [String], String?)])
    func absolute(_ path: String, _ places: [String], _ found: String?) {
        let known = KnownManifests(paths: [path], places: places)
        #expect(known.absolute(path) == found)
        #expect(known.has(path) && !known.has("/elsewhere" + path))
        if let found { #expect(known.has(found)) }
    }
}

import Control
import Foundation
import TestSupport
import Testing

@Suite("What a run carries")
struct BigFrameTests {
    private static let application = "org.taskhost.big"

    /// A served application of two tasks, of which one waits to be warned.
    private func serving() throws -> Daemon {
        let station = try Station()
        try station.add(ManifestText(stage: Self.application, ["pass": "stage_pass", "wait": "stage_wait"]))
        let daemon = try Daemon(station)
        let reply = try daemon.ask(.post, "/v1/runs", body: #"{"identifiers":["\#(Self.application).wait"]}"#)
        #expect(reply.status == 202)
        try daemon.waitForWork("\(Self.application).wait")
        return daemon
    }

    private func ask(_ daemon: Daemon, payload: Int, settings: Int) throws -> Daemon.Reply {
        // {"a":"…"} has eight bytes beside the text.
        let body: [String: Any] = [
            "identifiers": ["\(Self.application).pass"],
            "payload": Data(repeating: 0x78, count: payload).base64EncodedString(),
            "settings": ["a": String(repeating: "x", count: settings - 8)],
        ]
        let file = try daemon.station.folder.write("body", JSONSerialization.data(withJSONObject: body))
        return try daemon.ask(.post, "/v1/runs", body: "@\(file.path)")
    }

    @Test("is the largest payload and settings as long as a manifest's, at once")
    func largest() throws {
        let daemon = try serving()
        #expect(try ask(daemon, payload: 131_072, settings: 65_536).status == 202)
        try daemon.wait(for: "run.ended", "\(Self.application).pass")
        let run = try #require(try daemon.station.history().last { $0.identifier.hasSuffix(".pass") })
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "is refused at the door beyond that, with the limit, and its sibling continues", arguments: [65_537, 1_000_000])
    func beyond(_ bytes: Int) throws {
        let daemon = try serving()
        let reply = try ask(daemon, payload: 10, settings: bytes)
        #expect(reply.status >= 400 && reply.status < 500)
        #expect(reply.text.contains("settings of \(bytes) bytes") && reply.text.contains("65536"), "\(reply.text)")
        let runs = try daemon.station.history()
        #expect(runs.map(\.identifier) == ["\(Self.application).wait"] && runs[0].outcome == nil, "\(runs)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is reported by validate where a manifest asks for more than a frame to a worker holds")
    func manifest() throws {
        let station = try Station()
        let text = String(repeating: "x", count: 65_536)
        let manifest = ManifestText(
            foreign: "org.taskhost.long",
            [
                "library": "libc.so.6", "symbol": "strcmp", "signature": "i32(string, string)",
                "arguments": [text, text],
            ], budget: ["wallClock": "60s"])
        try station.add(manifest)
        #expect(try station.run("org.taskhost.long").command.succeeded)
        try station.add(
            ManifestText(
                foreign: "org.taskhost.longer",
                [
                    "library": "libc.so.6", "symbol": "memcpy", "signature": "pointer(string, string, string, string)",
                    "arguments": [text, text, text, text],
                ], budget: ["wallClock": "60s"]))
        let command = try station.run("org.taskhost.longer").command
        #expect(command.status == 65)
        let words = #"$.tasks["org.taskhost.longer"]: found a handler and settings of"#
        #expect(command.errors.contains(words), "\(command)")
        #expect(command.errors.contains("at most 204800 bytes together"))
    }
}

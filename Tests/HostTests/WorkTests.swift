import Foundation
import TestSupport
import Testing

@Suite("What a handler gets and gives")
struct WorkTests {
    @Test("its payload and its settings reach it, and what it logs and prints is kept")
    func echo() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.echo").tasks[0]
        let report = try station.run(task, "--payload-text", "grüße", "--settings", #"{"depth": [1, 2]}"#)
        let (text, dropped) = try station.logs(try #require(report[task]))
        #expect(text.contains("info: grüße\n") && text.contains(#"notice: {"depth":[1,2]}"# + "\n"), "\(text)")
        // Once on each of its outputs.
        #expect(text.split(separator: "\n").filter { $0 == "grüße" }.count == 2, "\(text)")
        #expect(dropped == 0)
    }

    @Test("its settings are the tokens that were given: numbers, escapes and order", arguments: [false, true])
    func tokens(_ isServed: Bool) throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.echo").tasks[0]
        let daemon = isServed ? try Daemon(station) : nil
        let given =
            #"{"b": 1.50, "a" : [1e3, -0, 1E+2, 12345678901234567890123, 0.1e-7], "\u0041\/": "\u00e9 \u0000", "c":{ }}"#
        let line = #"{"b":1.50,"a":[1e3,-0,1E+2,12345678901234567890123,0.1e-7],"\u0041\/":"\u00e9 \u0000","c":{}}"#
        let run = try station.start(["run", task, "--json", "--settings", given], manifests: !isServed)
        let report = try station.finish(run)
        #expect(report.command.status == 0, "\(report.command)")
        #expect(try station.logs(try #require(report[task])).text.contains("notice: \(line)\n"))
        if let daemon { #expect(try daemon.stop().status == 0) }
    }

    @Test("its manifest's settings are passed token for token")
    func manifestTokens() throws {
        let station = try Station()
        let manifest = try station.add(fixture: "fixtures.echo")
        let file = station.folder.file("manifests/\(manifest.identifier).json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let settings = try #require(text.firstMatch(of: /"settings"\s*:\s*\{[^}]*\}/))
        try Data(text.replacing(settings.0, with: #""settings": { "n" : 1.50e1, "t":"\u0041" }"#).utf8).write(to: file)
        let report = try station.run(manifest.tasks[0])
        let words = try station.logs(try #require(report.runs.first)).text
        #expect(words.contains(#"notice: {"n":1.50e1,"t":"\u0041"}"#), "\(words)")
    }

    @Test("bytes that are no UTF-8 are refused where text is meant, and pass in a file")
    func badText() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.echo").tasks[0]
        let words = "run \(task) --manifests \(station.manifestFolder.path) --state \(station.state)"
        for option in [#"--payload-text "$(printf 'a\377')""#, #"--settings "$(printf '{"a":"\377"}')""#] {
            let refused = try Command.run(
                "/bin/sh", ["-c", "\(try Places.taskhost) \(words) \(option)"])
            #expect(refused.status == 64 && refused.output.contains("an argument is not UTF-8"), "\(refused)")
        }
        // The very character that stands for bad bytes is good.
        let report = try station.run(task, "--payload-text", "a\u{FFFD}")
        #expect(try station.logs(try #require(report[task])).text.contains("info: a\u{FFFD}\n"))
    }

    @Test("its settings are those of the manifest unless others are given")
    func settings() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.echo").tasks[0]
        let report = try station.run(task)
        #expect(try station.logs(try #require(report[task])).text.contains(#"notice: {"fixture":"echo"}"#))
    }

    @Test("any bytes are a payload, up to the limit")
    func bytes() throws {
        let station = try Station()
        let task = try station.add(fixture: "fixtures.foreign").tasks.first { $0.hasSuffix("crc32") }
        let file = try station.folder.write("payload", (0..<131_072).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let report = try station.run(try #require(task), "--payload", file.path)
        // The checksum is another one than the manifest expects.
        #expect(report.runs.first?.outcome == "failed" && report.command.status == 1, "\(report.command)")
        try station.folder.write("payload", [UInt8](repeating: 0, count: 131_073))
        #expect(try station.run(try #require(task), "--payload", file.path).command.status == 64)
        #expect(try station.history().count == 1)
    }

    @Test(
        "a flood of output or of log lines is kept in part, and the rest counted",
        arguments: ["flood-output", "flood-log"])
    func flood(_ name: String) throws {
        let station = try Station()
        try station.configure("output", "16KiB")
        let task = try station.add(fixture: "hostile.\(name)").tasks[0]
        let report = try station.run(task)
        let run = try #require(report[task])
        #expect(run.outcome == "succeeded")
        let (text, dropped) = try station.logs(run)
        #expect(text.utf8.count <= 2 * 16 << 10 && text.utf8.count > 8 << 10)
        #expect(dropped > 0)
    }

    // MARK: Foreign functions

    /// The result of a run, as the command line prints it.
    private func result(_ report: Station.Report) throws -> Any? {
        let document = try JSONSerialization.jsonObject(with: Data(report.command.output.utf8)) as? [String: Any]
        return (document?["runs"] as? [[String: Any]])?.first?["result"]
    }

    @Test("a foreign function's result decides, and is kept")
    func checksum() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.foreign")
        let good = try station.run("org.taskhost.fixtures.foreign.crc32", "--payload-text", "123456789")
        #expect(good.runs.first?.outcome == "succeeded")
        #expect(try result(good) as? Int == 3_421_780_262)
        let bad = try station.run("org.taskhost.fixtures.foreign.crc32", "--payload-text", "12345678")
        #expect(bad.runs.first?.outcome == "failed")
        #expect(try result(bad) as? Int == 2_598_427_311)
        let absolute = try station.run("org.taskhost.fixtures.foreign.absolute")
        #expect(try result(absolute) as? Int == 42)
    }

    @Test("a foreign function that asks whether to stop expires in time")
    func walk() throws {
        let station = try Station()
        let handler: [String: Any] = [
            "library": "libc.so.6", "symbol": "nftw", "signature": "i32(string, callback, i32, i32)",
            "arguments": [
                "/usr", ["callback": "shouldStop", "signature": "i32(string, pointer, i32, pointer)"], 16, 1,
            ],
            "success": "result == 0",
        ]
        // Warned after a few milliseconds, too short for a walk through /usr, and left alone for long after that.
        try station.add(
            ManifestText(
                foreign: "org.taskhost.walk", handler, budget: ["wallClock": "30s", "grace": "29995ms"], read: ["/usr"])
        )
        let report = try station.run("org.taskhost.walk")
        let run = try #require(report["org.taskhost.walk"])
        #expect(run.outcome == "expired" && run.reason == "budget", "\(run)")
        #expect(try result(report) as? Int == 1)
    }

    @Test("a foreign function with a callback for it completes by that, whatever it returns", arguments: [1, 0])
    func completion(_ success: Int) throws {
        let station = try Station()
        let library = try Places.built.get().appending(path: "libstage.so").path
        try station.add(
            ManifestText(
                foreign: "org.taskhost.later",
                [
                    "library": library, "symbol": "stage_call_later", "signature": "i32(i32, callback)",
                    "arguments": [success, ["callback": "complete", "signature": "void(i32)"]],
                ], budget: ["wallClock": "20s", "grace": "1s"]))
        let run = try #require(try station.run("org.taskhost.later")["org.taskhost.later"])
        #expect(run.outcome == (success == 1 ? "succeeded" : "failed"), "\(run)")
        // It returned at once and completed after a fiftieth of a second.
        #expect(try #require(run.wallTime) >= 0.02)
    }

    @Test("a foreign function can ask how long it has")
    func timeRemaining() throws {
        let station = try Station()
        let library = try Places.built.get().appending(path: "libstage.so").path
        try station.add(
            ManifestText(
                foreign: "org.taskhost.time",
                [
                    "library": library, "symbol": "stage_ask", "signature": "f64(callback)",
                    "arguments": [["callback": "timeRemaining", "signature": "f64()"]],
                    "success": "result > 10",
                ], budget: ["wallClock": "20s", "grace": "1s"]))
        let report = try station.run("org.taskhost.time")
        #expect(report.command.succeeded, "\(report.command)")
        let seconds = try #require(try result(report) as? Double)
        #expect(seconds > 10 && seconds <= 20)
    }
}

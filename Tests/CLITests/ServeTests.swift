import Foundation
import Testing

@Suite("A host that serves", .plainBuild)
struct ServeTests {
    /// One that serves the folder's manifests; killed with the test.
    private func serve(_ folder: Folder, _ more: String...) throws -> BackgroundTool {
        let host = try BackgroundTool(
            ["serve", "--manifests", folder.file("m").path, "--state", folder.file("state").path] + more)
        guard host.waitFor("taskhost: serving ") else { throw Problem("it does not serve") }
        return host
    }

    @Test("reads its manifests again: a warning refuses none, a fault does")
    func reloads() throws {
        let folder = try Plugin.folder()
        try folder.write(
            "m/com.example.often.json",
            try Plugin.manifest("com.example.often")
                .replacing(#""handler""#, with: #""schedule": {"every": "15s"}, "handler""#))
        let host = try serve(folder)
        let warned = try folder.ask("reload")
        #expect(warned.status == 0, "\(warned.errors)")
        #expect(warned.errors.contains("warning: "), "\(warned.errors)")
        #expect(warned.output == "2 applications loaded\n")
        #expect(try Tool.run("validate", folder.file("m").path).status == 0)
        try folder.write("m/com.example.bad.json", #"{"identifier": "a:1:1: warning: b"}"#)
        let refused = try folder.ask("reload")
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("begins with paths that can be read", arguments: ["none", "m/none.json", "m/com.example.cli.json/below"])
    func missing(_ path: String) throws {
        let folder = try Plugin.folder()
        let tool = try folder.ask(
            "serve", "--manifests", folder.file("m").path, "--manifests", folder.file(path).path)
        tool.expectSentence([folder.file(path).path], status: 65)
        #expect(!FileManager.default.fileExists(atPath: folder.file("state").path))
    }

    @Test("begins with an empty folder, and with bad manifests beside good ones")
    func empty() throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("empty")
        try folder.write("m/com.example.bad.json", "{}")
        let host = try serve(folder, "--manifests", folder.file("empty").path)
        #expect(try folder.ask("list").output.contains("com.example.cli"))
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("counts once what is named twice, itself or by its folder")
    func twice() throws {
        let folder = try Plugin.folder()
        let same = folder.file("m/../m").path
        let file = folder.file("m/com.example.cli.json").path
        let host = try serve(folder, "--manifests", same, "--manifests", file)
        #expect(try folder.ask("reload").status == 0)
        #expect(host.end(SIGTERM) == 0)
        let valid = try Tool.run("validate", folder.file("m").path, same, file)
        #expect(valid.output == "1 of 1 manifests good, 1 tasks\n", "\(valid.errors)")
    }

    @Test("is watched by top until it ends, however that happens", arguments: ["KILL", "TERM"], ["", "--json"])
    func topEnds(_ signal: String, _ option: String) throws {
        let folder = try Plugin.folder()
        let host = try serve(folder)
        let top = try Tool.shell(
            """
            "$taskhost" top \(option) --state state >events & top=$!
            until [ -s events ] || ! kill -0 $top; do
                "$taskhost" device set power=battery --state state >/dev/null
                "$taskhost" device reset --state state >/dev/null
            done
            kill -\(signal) \(host.pid)
            wait $top
            """, in: folder)
        top.expectSentence([folder.file("state").lastPathComponent], status: 69)
    }

    @Test("keeps what a request waited for, and show prints it")
    func waits() throws {
        let folder = try Plugin.folder()
        let host = try serve(folder)
        #expect(try folder.ask("device", "set", "power=battery").status == 0)
        #expect(try folder.ask("submit", "com.example.cli", "--requires-power").status == 0)
        #expect(try folder.ask("device", "set", "power=external").status == 0)
        let show = try Tool.shell(
            """
            until "$taskhost" history --state state | grep succeeded >run; do :; done
            "$taskhost" show "$(cut -d ' ' -f 1 run)" --state state --utc
            """, in: folder)
        let lines = show.output.split(separator: "\n")
        let title = try #require(lines.firstIndex(of: "waited for"), "\(show.output)\(show.errors)")
        #expect(lines[title...].contains { $0.contains("Z  externalPower ") }, "\(show.output)")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("does not begin where its socket cannot be made, and says why")
    func socket() throws {
        let folder = try Plugin.folder()
        try folder.write("state/control.sock", "hi")
        let tool = try folder.ask("serve", "--manifests", folder.file("m").path)
        tool.expectSentence(["this is not a socket; \(folder.file("state/control.sock").path); remove it"], status: 73)
        #expect(try Data(contentsOf: folder.file("state/control.sock")) == Data("hi".utf8))
    }

    @Test("lists what runs as running, since it began", arguments: [[], ["--manifests", "m"]])
    func running(_ manifests: [String]) throws {
        let folder = try Plugin.folder(handler: "wait")
        let host = try serve(folder)
        let run = try BackgroundTool(["run", "com.example.cli", "--state", folder.file("state").path])
        #expect(run.waitFor("waiting"))
        let words = ["list", "--state", folder.file("state").path] + manifests
        let tasks = try Tool.run(words + ["--json"], in: folder).document["tasks"] as? [[String: Any]]
        let last = try #require(tasks?.first?["lastRun"] as? [String: Any])
        let since = try #require((last["startedAt"] as? String) ?? (last["submittedAt"] as? String))
        let list = try Tool.run(words + ["--utc"], in: folder).output
        #expect(list.contains("running  \(since)\n"), "\(list)")
        _ = run.end(SIGTERM)
        #expect(try Tool.run(words, in: folder).output.contains("cancelled  "))
        #expect(host.end(SIGTERM) == 0)
    }

    @Test(
        "is named where its socket is gone, and no verb says that none serves", arguments: ["pending", "why", "submit"])
    func socketGone(_ verb: String) throws {
        let folder = try Plugin.folder()
        let host = try serve(folder)
        try FileManager.default.removeItem(at: folder.file("state/control.sock"))
        let tool = try Tool.run(
            [verb, "--manifests", folder.file("m").path, "--state", folder.file("state").path]
                + (verb == "pending" ? [] : ["com.example.cli"]))
        tool.expectSentence(
            ["another host holds the state folder", "it is process \(host.pid)", "restart it"], status: 69)
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("asks for a concrete identifier for a wildcard, and gives an example")
    func wildcard() throws {
        let folder = try Plugin.folder()
        try folder.write(
            "m/com.example.cli.json",
            try Plugin.manifest()
                .replacing(#""com.example.cli": {"#, with: #""com.example.cli.export.*": {"#)
                .replacing("processing", with: "continuedProcessing").replacing(#""wallClock": "20s", "#, with: ""))
        let host = try serve(folder)
        let why = try folder.ask("why", "com.example.cli.export.*").output
        #expect(why.hasSuffix("taskhost submit com.example.cli.export.1\n"), "\(why)")
        let tool = try folder.ask("submit", "com.example.cli.export.*")
        tool.expectSentence(["this is a wildcard", "for example com.example.cli.export.1"], status: 17)
        #expect(try folder.ask("foreground", "com.example.cli").status == 0)
        let submitted = try folder.ask("submit", "com.example.cli.export.1")
        #expect(submitted.status == 0, "\(submitted.errors)")
        try folder.ask("submit", "com.example.cli.exprt.*").expectSentence(["did you mean"], status: 64)
        #expect(host.end(SIGTERM) == 0)
    }

    @Test(
        "refuses a date that is too far, however far",
        arguments: ["+400d", "2261-12-31T00:00:00Z", "2262-01-01T00:00:00Z", "9999-12-31T23:59:59+01:00", "+99999d"])
    func farDate(_ date: String) throws {
        let folder = try Plugin.folder()
        let host = try serve(folder)
        try folder.ask("submit", "com.example.cli", "--earliest", date)
            .expectSentence(["a date within a year"], status: 64)
        #expect(host.end(SIGTERM) == 0)
    }
}

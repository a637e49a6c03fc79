import Foundation
import JSON
import TestSupport
import Testing

/// From the page's request to the daemon's use of what was written.
@Suite("Manifests of taskhost ui", .plainBuild)
struct PageManifestTests {
    private static func quoted(_ text: String) -> String { JSONOutput.string(text).text() }

    private func open(_ folder: Folder, _ words: String...) throws -> (ui: Program, page: PageAsker) {
        let ui = try Program(
            Places.taskhost.path, ["ui", "--no-open", "--state", folder.file("state").path] + words,
            keepsErrorsApart: true)
        try ui.wait(forText: "Ctrl-C ends this")
        return (ui, try PageAsker(ui.output))
    }

    @Test("are written, and used by the daemon when the answer comes")
    func written() throws {
        let folder = try Plugin.folder()
        let host = try BackgroundTool(
            ["serve", "--manifests", folder.file("m").path, "--state", folder.file("state").path])
        #expect(host.waitFor("taskhost: serving "))
        let (ui, page) = try open(folder)

        let job = #"{"identifier": "com.example.job", "command": ["echo", "done"], "schedule": "@daily"}"#
        let proposed = try page.post("/manifest/new", job).document
        let (path, text) = (try #require(proposed["path"]?.string), try #require(proposed["text"]?.string))
        let made = try page.post(
            "/manifest", #"{"path": \#(Self.quoted(path)), "text": \#(Self.quoted(text)), "digest": null}"#)
        #expect(made.status == 201, "\(made)")
        let tasks = try page.get("/v1/tasks").document["tasks"]?.array ?? []
        #expect(tasks.contains { $0["identifier"]?.string == "com.example.job" }, "\(tasks)")
        let run = try folder.ask("run", "com.example.job")
        #expect(run.status == 0 && run.errors.contains("done"), "\(run)")

        let shown = try page.get("/manifest?path=\(path)").document
        #expect(shown["text"]?.string == text && shown["mayWrite"]?.bool == true)
        let digest = try #require(shown["digest"]?.string)
        #expect(digest == made.document["digest"]?.string)
        let edited = text.replacing("10m", with: "11m")
        func save(_ text: String, _ page: PageAsker) throws -> PageAsker.Reply {
            try page.post(
                "/manifest", #"{"path": "\#(path)", "text": \#(Self.quoted(text)), "digest": "\#(digest)"}"#)
        }
        #expect(try save(edited, page).status == 200)
        let task = try page.get("/v1/tasks/com.example.job").document
        #expect(task["budget"]?["wallClock"]?.double == 660, "\(task.compactText)")
        #expect(try save(text, page).status == 409)
        try ui.signal(SIGTERM)
        #expect(try ui.finish().status == 0)

        // Where nothing may be changed, the text is shown and checked.
        let (reader, looking) = try open(folder, "--read-only")
        let refused = try save(edited, looking)
        #expect(refused.status == 403 && refused.document["type"]?.string == "urn:taskhost:problem:read-only")
        let read = try looking.get("/manifest?path=\(path)").document
        #expect(read["text"]?.string == edited && read["mayWrite"]?.bool == false && read["why"]?.string != nil)
        let faults = try looking.post("/manifest/check", #"{"path": "\#(path)", "text": "{"}"#).document["faults"]?
            .array
        #expect(faults?.count == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == edited)
        try reader.signal(SIGTERM)
        #expect(try reader.finish().status == 0 && host.end(SIGTERM) == 0)
    }
}

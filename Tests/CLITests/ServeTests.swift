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
}

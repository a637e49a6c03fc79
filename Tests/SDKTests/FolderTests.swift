import Foundation
import TestSupport
import Testing

/// The folders of an application, in a real worker.
@Suite("Folders of applications", .enabled(if: !Places.isSanitized))
struct FolderTests {
    @Test("have one place by all their names, and what lay in the home before has its names in two of them")
    func places() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Built.folder.get().appending(path: "libFolders.so"), to: folder.file("libFolders.so"))
        try folder.write(
            "com.ex.app.json",
            #"{ "identifier": "com.ex.app", "library": "libFolders.so", "tasks": { "com.ex.app.p1": { "kind": "processing" } } }"#
        )
        let home = folder.file("state/applications/com.ex.app/state")
        let places = ["--state", folder.file("state").path, "--manifests", folder.path]
        #expect(try Command.run(Places.taskhost, ["run", "com.ex.app.p1"] + places).succeeded)
        // As an earlier version left it.
        for name in ["Library", "tmp", ".local/folders-of-ios"] {
            try FileManager.default.removeItem(at: home.appending(path: name))
        }
        try FileManager.default.createDirectory(at: home.appending(path: "old"), withIntermediateDirectories: true)
        try "file".write(to: home.appending(path: "old.txt"), atomically: true, encoding: .utf8)
        try "inside".write(to: home.appending(path: "old/inside.txt"), atomically: true, encoding: .utf8)
        for _ in 1...2 {
            let run = try Command.run(
                Places.taskhost,
                ["run", "com.ex.app.p1", "--state", folder.file("state").path, "--manifests", folder.path])
            let names = [
                "documents", "library", "caches", "support", "downloads", "desktop", "movies", "music", "pictures",
                "public",
                "trash", "applications",
            ]
            for name in names { #expect(run.output.contains("\(name) one folder\n"), "\(run.output)") }
            #expect(run.output.contains("temporary 1\nhome true, true\n"), "\(run.output)")
            #expect(run.output.contains("old file, inside\nold file, inside\n"), "\(run.output)")
        }
        #expect(try String(contentsOf: home.appending(path: "old.txt"), encoding: .utf8) == "file")
        #expect(try String(contentsOf: home.appending(path: "old/inside.txt"), encoding: .utf8) == "inside")
    }
}

import Foundation
import TestSupport
import Testing

/// Many applications read their own Info.plist, most of them while they launch.
@Suite("Bundle.main")
struct BundleTests {
    @Test("has what the manifest says, when main() is called")
    func filled() throws {
        let lines = try Worker.run(
            "Bundle", permitted: ["1:r1", "3:job.*"],
            options: ["--name", "Nachrichten für alle", "--version", "2.5.1", "--mode", "fetch", "--mode", "audio"], []
        ).lines
        #expect(lines.contains("identifier com.ex.app com.ex.app"))
        #expect(lines.contains("name Nachrichten für alle Nachrichten für alle"))
        #expect(lines.contains("version 2.5.1 2.5.1"))
        #expect(lines.contains(#"permitted ["com.ex.app.r1", "com.ex.app.job.*"]"#))
        #expect(lines.contains(#"modes ["fetch", "audio"]"#))
    }

    @Test("has what can be known when the manifest, or an older host, says nothing", arguments: [true, false])
    func bare(_ isOld: Bool) throws {
        let lines = try Worker.run("Bundle", options: isOld ? ["--no-extensions", "1"] : [], []).lines
        #expect(lines.contains("identifier com.ex.app com.ex.app"))
        #expect(lines.contains("name app app") && lines.contains("version 1.0 1.0"))
        #expect(lines.contains(#"permitted ["none"]"#) && lines.contains(#"modes ["none"]"#))
    }

    @Test("is the application's in a confined worker", .enabled(if: !Places.isSanitized))
    func confined() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: try Built.folder.get().appending(path: "libBundle.so"), to: folder.file("libBundle.so"))
        try folder.write(
            "it.json",
            """
            {"identifier": "newsReader", "name": "News", "version": "7 (beta)", "library": "libBundle.so",
             "backgroundModes": ["fetch", "processing"],
             "tasks": {"news.clean_up": {"kind": "processing"}, "news.refresh": {"kind": "appRefresh"}}}
            """)
        let run = try Command.run(
            Places.taskhost,
            ["run", "news.refresh", "--state", folder.file("state").path, "--manifests", folder.path])
        #expect(run.succeeded, "\(run.output)")
        for line in [
            "identifier newsReader newsReader", "name News News", "version 7 (beta) 7 (beta)",
            #"permitted ["news.clean_up", "news.refresh"]"#, #"modes ["fetch", "processing"]"#,
        ] {
            #expect(run.output.contains(line), "\(run.output)")
        }
    }
}

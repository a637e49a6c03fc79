import Foundation
import Testing

@Suite("A state folder", .plainBuild)
struct StateFaultTests {
    @Test(
        "that cannot be made or written is reported",
        arguments: [
            ("file", "Not a directory"), ("file/below", "Not a directory"), ("/proc/taskhost", "/proc/taskhost"),
            ("/sys/taskhost", "/sys/taskhost"),
        ])
    func unwritable(_ place: String, _ word: String) throws {
        let folder = try Plugin.folder()
        try folder.write("file", "")
        let state = place.hasPrefix("/") ? place : folder.file(place).path
        let tool = try Tool.run("run", "com.example.cli", "--manifests", folder.file("m").path, "--state", state)
        tool.expectSentence(["the state folder cannot be used; \(state)", word, "--state"], status: 73)
    }

    @Test("that workers cannot pass through is reported", .enabled(if: Places.isRoot, "only root changes users"))
    func closed() throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("closed")
        try folder.setMode(0o700, of: "closed")
        let tool = try Tool.run(
            "run", "com.example.cli", "--manifests", folder.file("m").path, "--state", folder.file("closed/state").path)
        #expect(tool.status == 17)
        #expect(tool.errors.contains("chmod o+x \(folder.file("closed").path)"), "\(tool.errors)")
    }

    @Test("of a newer taskhost is reported and left alone")
    func newer() throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        let database = folder.file("state/taskhost.db")
        try SQLite.execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)", on: database)
        let bytes = try Data(contentsOf: database)
        try folder.run().expectSentence(["newer taskhost (schema 99", "use that version"], status: 73)
        try folder.ask("history").expectSentence(["newer taskhost (schema 99"], status: 73)
        #expect(try Data(contentsOf: database) == bytes)
    }

    @Test("whose record is no database is reported and left alone")
    func foreign() throws {
        let folder = try Plugin.folder()
        let text = Data(String(repeating: "no database at all ", count: 100).utf8)
        try folder.write("state/taskhost.db", text)
        try folder.run().expectSentence(["taskhost.db", "move it away"], status: 73)
        #expect(try Data(contentsOf: folder.file("state/taskhost.db")) == text)
    }

    @Test("that is full is reported, and loses nothing", .enabled(if: canMount, "it takes a mount namespace"))
    func full() throws {
        let folder = try Plugin.folder(handler: "print")
        try folder.makeFolder("state")
        let tool = try Tool.execute(
            "/usr/bin/env",
            [
                "unshare", "-m", "sh", "-c",
                """
                mount -t tmpfs -o size=400k,mode=755 none "$0" || exit 99
                "$1" run com.example.cli --manifests "$2" --state "$0" --quiet >/dev/null || exit 98
                "$1" run com.example.cli --manifests "$2" --state "$0" --repeat 1000 ; status=$?
                "$1" history --limit 100000 --json --state "$0"
                exit $status
                """, folder.file("state").path, try Places.taskhost.path, folder.file("m").path,
            ])
        tool.expectSentence(["the disk or a quota is full", "free some space"], status: 73)
        let runs = try #require(try tool.document["runs"] as? [[String: Any]])
        #expect(!runs.isEmpty, "what was acknowledged is still there")
    }

    private static let canMount: Bool = {
        let arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
        return (try? Tool.execute("/usr/bin/env", arguments))?.status == 0
    }()

    @Test("serves one host; a second one reports the first one's process")
    func second() throws {
        let folder = try Plugin.folder(handler: "wait")
        let state = folder.file("state").path
        let first = try BackgroundTool([
            "run", "com.example.cli", "--manifests", folder.file("m").path, "--state", state,
        ])
        #expect(first.waitFor("waiting"))
        try folder.run().expectSentence(
            ["another host holds the state folder; \(state)", "it is process \(first.pid)"], status: 69)
        try folder.ask("history", "--json").expectSentence(
            [
                "a host without a control socket holds the record", "process \(first.pid)",
                "ask again when it has ended",
            ],
            status: 69)
        #expect(first.end(SIGTERM) == 16 || first.end(SIGTERM) == 10)
        let runs = try #require(try folder.ask("history", "--json").document["runs"] as? [[String: Any]])
        #expect(runs.count == 1)
        #expect(runs[0]["reason"] as? String == "hostStopping")
    }
}

import Foundation
import TestSupport
import Testing

@Suite("A past run is requested again")
struct RetryTests {
    private static let application = "com.example.again"
    private static let task = application + ".task"

    private func manifest(_ task: String) -> ManifestText {
        let script = "read -r word; echo \"$word $TASKHOST_SETTINGS\"; exit 1"
        return ManifestText(members: [
            "identifier": Self.application,
            "tasks": [
                task: [
                    "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                    "retry": ["attempts": 1], "settings": ["from": "manifest"],
                ] as [String: Any]
            ],
        ])
    }

    @Test("with its payload and its settings, by its id and by its task, over a restart of the host")
    func again() throws {
        let station = try Station()
        try station.add(manifest(Self.task))
        let first = try #require(
            try station.run(Self.task, "--payload-text", "word", "--settings", #"{"own":[1]}"#)[Self.task])
        // Without a daemon it waits for one.
        let waiting = try station.start(["retry", first.run, "--manifests", station.manifestFolder.path])
            .finish()
        #expect(waiting.status == 0 && waiting.output.hasPrefix("\(Self.task) is pending again"), "\(waiting)")
        let daemon = try Daemon(station)
        try daemon.waitUntil { try station.history().filter { $0.outcome == "failed" }.count == 2 }
        let second = try #require(try station.history().last)
        let printed = try station.logs(first).text
        #expect(try station.logs(second).text == printed)
        #expect(try station.logs(second).text == "word {\"own\":[1]}\n")

        try daemon.tell("retry", Self.task)
        try daemon.waitUntil { try station.history().filter { $0.outcome == "failed" }.count == 3 }
        #expect(try station.logs(try #require(try station.history().last)).text == "word {\"own\":[1]}\n")
        _ = try station.start(["run", Self.task], manifests: false).finish()
        let plain = try #require(try station.history().last)
        try daemon.tell("retry", String(plain.run.prefix(20)))
        try daemon.waitUntil { try station.history().filter { $0.outcome == "failed" }.count == 5 }
        #expect(try station.logs(try #require(try station.history().last)).text == " {\"from\":\"manifest\"}\n")
        #expect(try daemon.stop().status == 0)
    }

    @Test("but not one that is unknown, whose task is gone, or whose payload an earlier version did not keep")
    func refused() throws {
        let station = try Station()
        try station.add(manifest(Self.task))
        let run = try #require(try station.run(Self.task)[Self.task]).run
        func told(_ word: String) throws -> Command {
            try station.start(["retry", word, "--manifests", station.manifestFolder.path]).finish()
        }
        let unknown = try told("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        #expect(unknown.status == 64 && unknown.errors.contains("01ARZ3NDEKTSV4RRFFQ69G5FAV"), "\(unknown)")
        #expect(try told(Self.application + ".never").status == 64)
        try SQLite(station.folder.file("state/taskhost.db")).execute("UPDATE runs SET kind = NULL")
        let old = try told(run)
        #expect(old.status == 64 && old.errors.contains("its payload is not kept"), "\(old)")
        try SQLite(station.folder.file("state/taskhost.db")).execute("UPDATE runs SET kind = 2")
        try station.add(manifest(Self.application + ".other"))
        let gone = try told(run)
        #expect(gone.status == 64 && gone.errors.contains("no manifest has its task any more"), "\(gone)")
        #expect(
            try station.ask(Daemon.Requests.self, "pending", "--manifests", station.manifestFolder.path).requests
                .isEmpty)
    }

    @Test("and not one that still runs")
    func running() throws {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": Self.application,
                "tasks": [
                    Self.task: [
                        "kind": "processing",
                        "handler": [
                            "command": ["/bin/sh", "-c", "echo begun; trap 'exit 0' TERM; while :; do :; done"]
                        ],
                    ] as [String: Any]
                ],
            ]))
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        let told = try station.start(["retry", Self.task]).finish()
        #expect(told.status == 64 && told.errors.contains("the run goes on"), "\(told)")
        #expect(try daemon.stop().status == 0)
    }
}

import Foundation
import TestSupport
import Testing

/// Libraries and programs that come, change or go beside a daemon.
@Suite("What is dropped in is served")
struct DropInTests {
    private static let task = "org.taskhost.drop.work"

    /// Builds a library whose handler says its version, works until it is warned when its payload says so, and says it again.
    private func build(_ version: String, as name: String, _ station: Station) throws {
        let source = try station.folder.write(
            "source.c",
            """
            #include <stdio.h>
            #include <unistd.h>
            #include <taskhost.h>
            TASKHOST_EXPORT void work(taskhost_task_t *task) {
                printf("\(version) begins\\n");
                fflush(stdout);
                while (task->payload.length > 0 && !taskhost_should_stop(task)) usleep(2000);
                printf("\(version) ends\\n");
                (void)taskhost_complete(task, 1);
            }
            """)
        let headers = Places.include.path
        let script =
            "cc -shared -fPIC -I \(headers) -o new.so \(source.path) && mkdir -p manifests && mv new.so manifests/\(name)"
        let command = try Command.run("sh", ["-ec", script], in: station.folder.url)
        guard command.succeeded else { throw Problem(command.output) }
    }

    private func manifest() -> ManifestText {
        ManifestText(members: [
            "identifier": "org.taskhost.drop", "library": "libdrop.so",
            "tasks": [
                Self.task: [
                    "kind": "processing", "handler": "work", "budget": ["wallClock": "60s", "grace": "30s"],
                ] as [String: Any]
            ],
        ])
    }

    @Test("a library after its manifest, and a new build for the next run")
    func library() throws {
        let station = try Station()
        try station.add(manifest())
        let daemon = try Daemon(station)
        #expect(try !daemon.tell("list").contains(Self.task))
        try build("one", as: "libdrop.so", station)
        try daemon.program.wait(forText: "read the manifests again: 1 tasks")
        try daemon.tell("submit", Self.task, "--payload-text", "wait")
        try daemon.waitForWork(Self.task)
        try build("two", as: "libdrop.so", station)
        // What runs finishes with the old code.
        try daemon.tell("simulate", "expiration", Self.task)
        try daemon.wait(for: "run.ended", Self.task)
        try daemon.tell("submit", Self.task)
        try daemon.wait(for: "run.ended", Self.task, count: 2)
        let logs = try station.ask(History.self, "history").runs.map { try daemon.tell("logs", $0.run) }
        #expect(logs == ["two begins\ntwo ends\n", "one begins\none ends\n"])
        #expect(try daemon.stop().status == 0)
    }

    private struct History: Decodable {
        struct Run: Decodable { var run: String }
        var runs: [Run]
    }

    @Test("a program that is missing keeps its task alone from being used, and every verb says so until it is there")
    func program() throws {
        let station = try Station()
        let program = station.folder.file("late/job").path
        func task(_ program: String) -> [String: Any] { ["kind": "processing", "handler": ["command": [program]]] }
        try station.add(
            ManifestText(members: [
                "identifier": "org.taskhost.late",
                "tasks": ["org.taskhost.late.job": task(program), "org.taskhost.late.other": task("/usr/bin/true")],
            ]))
        let daemon = try Daemon(station)
        let (missing, other) = ("org.taskhost.late.job", "org.taskhost.late.other")
        try daemon.tell("submit", other)
        try daemon.wait(for: "run.ended", other)
        func says(_ words: String...) throws -> (status: Int32, text: String) {
            let command = try station.start(words).finish()
            return (command.status, command.output + command.errors)
        }
        let told = [
            try says("status"), try says("list"), try says("doctor"), try says("journal"), try says("why", missing),
            try says("describe", missing), try says("cancel", missing), try says("submit", missing),
        ]
        for answer in told { #expect(answer.text.contains("\(program), which is not there"), "\(answer)") }
        #expect(told.map(\.status) == [0, 0, 1, 0, 64, 64, 64, 64], "\(told)")
        let list = try station.ask(List.self, "list")
        #expect(list.tasks.map(\.identifier) == [other] && list.unused.map(\.task) == [missing])
        // At once: a file that is not executable yet would be a reading more.
        let command = try Command.run(
            "sh", ["-ec", "mkdir new; printf '#!/bin/sh\\n' > new/job; chmod 755 new/job; mv new late"],
            in: station.folder.url)
        try #require(command.succeeded)
        try daemon.program.wait(forText: "read the manifests again: 2 tasks")
        #expect(try station.ask(List.self, "list").unused.isEmpty)
        try daemon.tell("submit", missing)
        try daemon.wait(for: "run.ended", missing)
        // When it goes again, its request waits for it.
        try daemon.tell("submit", missing, "--earliest", "1h")
        try FileManager.default.removeItem(atPath: station.folder.file("late").path)
        // A reading alone says nothing: a write that another process still had open may bring one more.
        try daemon.program.wait(forText: "manifestBroken; org.taskhost.late.job", count: 2)
        let why = try daemon.why(missing)
        #expect(
            why.pending && why.holding.contains("manifest") && why.summary.contains("which is not there"),
            "\(why.summary)\n\(daemon.program.errors)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("an imported crontab goes where the daemon looks")
    func imported() throws {
        let station = try Station()
        try FileManager.default.createDirectory(at: station.manifestFolder, withIntermediateDirectories: true)
        let daemon = try Daemon(station)
        let crontab = try station.folder.write("crontab", "# Good morning\n0 5 * * * echo morning\n")
        let said = try daemon.tell("import", "crontab", crontab.path)
        #expect(said.contains(station.manifestFolder.path + "/local.crontab.json"), "\(said)")
        try daemon.program.wait(forText: "read the manifests again: 1 tasks")
        #expect(try station.ask(List.self, "list").tasks.map(\.identifier) == ["local.crontab.good-morning"])
        #expect(try daemon.stop().status == 0)
    }

    private struct List: Decodable {
        struct Task: Decodable { var identifier: String }
        struct Unused: Decodable {
            var manifest: String
            var application: String?
            var task: String?
            var fault: String
        }
        var tasks: [Task]
        var unused: [Unused]
    }
}

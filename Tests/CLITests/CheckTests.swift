import Foundation
import Testing

@Suite("taskhost check", .plainBuild)
struct CheckTests {
    /// A library of one handler with this body, and the report of its check.
    private func check(_ body: String) throws -> (tool: Tool, failed: [String: String]) {
        let folder = try Folder()
        let source = """
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/stat.h>
            #include <unistd.h>
            #include <taskhost.h>
            void *burn(void *nothing) { for (volatile long n = 0;; n += 1) { } return 0; }
            void handle(taskhost_task_t *task) { \(body) }
            """
        try folder.makeFolder("lib")
        try Plugin.compile(source, to: folder.file("lib/libx.so"), flags: ["-pthread"])
        let tool = try Tool.run("check", "lib/libx.so", "--symbol", "handle", "--json", in: folder)
        let probes = try #require(try tool.document["probes"] as? [[String: Any]], "\(tool.errors)")
        #expect(probes.allSatisfy { Set($0.keys) == ["task", "probe", "verdict", "seen", "printed"] })
        var failed: [String: String] = [:]
        for probe in probes where probe["verdict"] as? String == "fail" {
            failed[probe["probe"] as? String ?? ""] = probe["seen"] as? String ?? ""
        }
        #expect(Set(try tool.document.keys) == ["library", "application", "passed", "probes"])
        #expect(try tool.document["passed"] as? Bool == failed.isEmpty)
        #expect(tool.status == (failed.isEmpty ? 0 : 1), "\(tool.errors)")
        return (tool, failed)
    }

    @Test("passes handlers that behave, be they quick, slow, failing or unbounded in what they read")
    func good() throws {
        let bodies = [
            "taskhost_complete(task, 1);",
            "taskhost_complete(task, task->payload.length == 0);",
            "for (int i = 0; i < 300 && !taskhost_should_stop(task); i += 1) { usleep(2000); } taskhost_complete(task, 1);",
        ]
        for body in bodies {
            let (tool, failed) = try check(body)
            #expect(failed.isEmpty, "\(body): \(tool.output)")
        }
    }

    struct Case: CustomTestStringConvertible {
        var body: String
        var probe: String
        var seen: String
        var testDescription: String { probe + ": " + seen }
    }

    static let cases: [Case] = [
        Case(
            body: "} __attribute__((constructor)) void load(void) { abort();", probe: "launch",
            seen: "crashed, signal 6 (SIGABRT)"),
        Case(body: "*(volatile int *)0 = 1;", probe: "completes within its budget", seen: "crashed"),
        Case(body: "_exit(0);", probe: "completes within its budget", seen: "exited"),
        Case(body: "", probe: "completes within its budget", seen: "unreported"),
        Case(
            body: "taskhost_complete(task, 1); taskhost_complete(task, 1);", probe: "keeps the interface's rules",
            seen: "more than once"),
        Case(
            body: "if (fork() == 0) { pause(); } taskhost_complete(task, 1);", probe: "leaves nothing running",
            seen: "1 process was left behind"),
        Case(
            body: "pthread_t t; pthread_create(&t, 0, burn, 0); taskhost_complete(task, 1);",
            probe: "leaves nothing running", seen: "used CPU after completion"),
        Case(
            body: "for (int i = 0; i < 20000; i += 1) { printf(\"%099d\\n\", i); } taskhost_complete(task, 1);",
            probe: "prints within bounds", seen: "more than is kept"),
        Case(
            body: "static int runs; if (++runs > 1) { abort(); } taskhost_complete(task, 1);",
            probe: "three runs in one process", seen: "crashed"),
        Case(
            body: "static int busy; if (busy++) { abort(); } usleep(100000); busy -= 1; taskhost_complete(task, 1);",
            probe: "two runs at once", seen: ""),
        Case(
            body: "if (task->payload.length > 1000) { abort(); } taskhost_complete(task, 1);",
            probe: "a payload of 128 KiB", seen: "signal 6"),
    ]

    @Test("fails what misbehaves, and names the probe", arguments: cases)
    func bad(_ row: Case) throws {
        let (tool, failed) = try check(row.body)
        let seen = try #require(failed[row.probe], "\(tool.output)")
        #expect(row.seen.isEmpty || seen.contains(row.seen))
    }

    @Test("fails a handler that ignores its warning")
    func ignoresWarning() throws {
        // Quick enough for its own budget, too slow once it is warned.
        let folder = try Folder()
        try folder.makeFolder("lib")
        try Plugin.compile(
            """
            #include <unistd.h>
            #include <taskhost.h>
            void handle(taskhost_task_t *task) {
                (void)taskhost_should_stop(task);
                for (int i = 0; i < 1500; i += 1) { usleep(1000); }
                taskhost_complete(task, 1);
            }
            """, to: folder.file("lib/libx.so"))
        try folder.write(
            "lib/com.example.cli.json",
            try Plugin.manifest(
                handler: "handle", library: "libx.so", budget: #"{"wallClock": "10s", "grace": "300ms"}"#))
        let tool = try Tool.run("check", "lib/libx.so", in: folder)
        #expect(tool.status == 1)
        let lines = tool.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("completes within its budget ") && $0.contains(" pass ") })
        #expect(
            lines.contains {
                $0.hasPrefix("stops when its budget ends ") && $0.contains(" fail ") && $0.contains("overran")
            })
        #expect(tool.output.contains("probes failed"))
    }

    @Test("finds the manifest beside the library, and takes a file that cannot be loaded for a failed probe")
    func finding() throws {
        let folder = try Folder()
        try folder.makeFolder("lib")
        try Plugin.compile(
            "#include <taskhost.h>\nvoid succeed(taskhost_task_t *t) { taskhost_complete(t, 1); }",
            to: folder.file("lib/libx.so"))
        let none = try Tool.run("check", "lib/libx.so", in: folder)
        none.expectSentence(["no manifest names the library", "--manifest", "--symbol"], status: 64)
        try folder.write("lib/manifests/m.json", try Plugin.manifest(library: folder.file("lib/libx.so").path))
        let found = try Tool.run("check", "lib/libx.so", "--json", in: folder)
        #expect(found.status == 0, "\(found.output)\(found.errors)")
        #expect(try found.document["application"] as? String == "com.example.cli")
        let other = try Tool.run("check", try Plugin.library.path, "--manifest", "lib/manifests/m.json", in: folder)
        other.expectSentence(["the manifest names another library; lib/manifests/m.json"], status: 65)

        let absent = try Tool.run("check", "lib/libx.so", "--symbol", "absent", in: folder)
        #expect(absent.status == 1)
        #expect(absent.output.contains("does not export"))
        try folder.write("lib/libx.so", "hello")
        let broken = try Tool.run("check", "lib/libx.so", in: folder)
        #expect(broken.status == 1)
        #expect(broken.output.contains("is not an ELF file"))
    }

    @Test("can be stopped, and says so")
    func stopped() throws {
        let folder = try Folder()
        try folder.makeFolder("lib")
        try Plugin.compile(
            """
            #include <unistd.h>
            #include <taskhost.h>
            void handle(taskhost_task_t *task) {
                while (!taskhost_should_stop(task)) { usleep(1000); }
                taskhost_complete(task, 1);
            }
            """, to: folder.file("lib/libx.so"))
        // It has a child process once its host has something to run.
        let tool = try Tool.shell(
            """
            "$taskhost" check lib/libx.so --symbol handle & check=$!
            while kill -0 $check && ! grep -qs "^PPid:.$check$" /proc/[0-9]*/status; do :; done
            kill -TERM $check; wait $check
            """, in: folder)
        tool.expectSentence(["the check was stopped"], status: 16)
        #expect(tool.output.isEmpty)
    }

    @Test("can remove whatever the plugin makes in its folders")
    func cleansUp() throws {
        let body = """
            char path[4096];
            snprintf(path, sizeof path, "%s/a", task->state_directory.bytes); mkdir(path, 0700);
            snprintf(path, sizeof path, "%s/a/b", task->state_directory.bytes); mkdir(path, 0000);
            snprintf(path, sizeof path, "%s/a/link", task->state_directory.bytes); symlink("/", path);
            taskhost_complete(task, 1);
            """
        let (tool, failed) = try check(body)
        #expect(failed.isEmpty, "\(tool.output)")
        // What it could not remove it would name.
        #expect(tool.errors.isEmpty, "\(tool.errors)")
    }
}

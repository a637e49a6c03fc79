import Foundation
import Testing

/// Handlers that misbehave, one way each: no check lets one pass.
@Suite("taskhost check, of a bad handler", .plainBuild)
struct BadHandlerTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        /// Of the handler.
        var body: String
        /// The first probe that has to fail, and words of what was seen.
        var probe: String
        var seen: String
        var testDescription: String { name }
    }

    private static let done = "taskhost_complete(task, 1);"
    private static let returns = "gives back what it took"

    static let rows = [
        Row(
            name: "leaks a descriptor with each run", body: "open(\"/dev/null\", O_RDONLY);" + done,
            probe: "leaks nothing over runs", seen: "descriptors"),
        Row(
            name: "leaks a thread with each run", body: "pthread_t t; pthread_create(&t, 0, idle, 0);" + done,
            probe: "leaks nothing over runs", seen: "threads"),
        Row(
            name: "leaks memory with each run", body: "keep = strdup(long_text);" + done,
            probe: "leaks nothing over runs", seen: "of memory"),
        Row(
            name: "writes after its completion", body: done + "usleep(1000); spill(task);",
            probe: "is done when it completes", seen: "it wrote to state/late after its completion"),
        Row(
            name: "prints after its completion", body: "printf(\"in time\\n\");" + done + "printf(\"too late\\n\");",
            probe: "is done when it completes", seen: "it printed after its completion"),
        Row(
            name: "prints half a line after its completion", body: done + "printf(\"too late\");",
            probe: "is done when it completes", seen: "it printed after its completion"),
        Row(
            name: "uses its task after the release",
            body: "task->host->retain(task);" + done
                + "pthread_t t; pthread_create(&t, 0, release_and_use, task); pthread_detach(t);",
            probe: "keeps the interface's rules", seen: "used after its last reference had been released"),
        Row(
            name: "never releases its task", body: "task->host->retain(task);" + done, probe: returns,
            seen: "never released"),
        Row(
            name: "has an expiration handler that never returns",
            body: "taskhost_set_expiration_handler(task, hang, 0);"
                + "for (int i = 0; i < 550 && !has_expired; i += 1) { usleep(1000); } has_expired = 0;" + done,
            probe: "its expiration handler returns", seen: "never returned"),
        Row(
            name: "hangs in atexit", body: "static int set; if (!set++) { atexit(hang_at_exit); }" + done,
            probe: "leaves when asked", seen: "it hung"),
        Row(
            name: "closes standard error", body: "close(2);" + done, probe: returns,
            seen: "standard error was closed or replaced"),
        Row(
            name: "begins background time and never ends it", body: "begin_background(task);" + done, probe: returns,
            seen: "begun and never ended"),
        Row(
            name: "completes twice", body: done + done, probe: "keeps the interface's rules", seen: "more than once"),
        Row(
            name: "never completes",
            body: "task->host->retain(task); taskhost_set_expiration_handler(task, nothing, 0);",
            probe: "completes within its budget", seen: "overran"),
        Row(
            name: "ignores its expiration",
            body:
                "taskhost_set_expiration_handler(task, nothing, 0); for (int i = 0; i < 900; i += 1) { usleep(1000); }"
                + done,
            probe: "stops when its budget ends", seen: "overran"),
        Row(name: "crashes", body: "*(volatile int *)0 = 1;", probe: "completes within its budget", seen: "SIGSEGV"),
        Row(name: "aborts", body: "abort();", probe: "completes within its budget", seen: "SIGABRT"),
        Row(name: "exits", body: "exit(0);", probe: "completes within its budget", seen: "exited"),
        Row(
            name: "leaves signals blocked",
            body: "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0);" + done,
            probe: returns, seen: "signals were left blocked"),
        Row(
            name: "leaves children behind", body: "if (fork() == 0) { pause(); }" + done,
            probe: "leaves nothing running",
            seen: "1 process was left behind"),
        Row(
            name: "changes the working folder", body: "chdir(\"/\");" + done, probe: returns,
            seen: "the working folder was changed"),
        Row(
            name: "closes descriptors that are not its own",
            body: "for (int i = 3; i < 64; i += 1) { close(i); }" + done,
            probe: "completes within its budget", seen: ""),
    ]

    private static let source = """
        #include <fcntl.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>
        #include <taskhost.h>
        #include <taskhost_scheduling.h>
        static const char long_text[] = {[0 ... 9998] = 'x', 0};
        static char *volatile keep;
        static volatile int has_expired;
        static void *idle(void *context) { pause(); return 0; }
        static void nothing(void *context, uint32_t reason) { }
        static void hang(void *context, uint32_t reason) { has_expired = 1; for (;;) { pause(); } }
        static void hang_at_exit(void) { for (;;) { pause(); } }
        static void *release_and_use(void *context) {
            taskhost_task_t *task = context;
            usleep(2000);
            task->host->release(task);
            taskhost_log(task, TASKHOST_LOG_INFO, "gone");
            return 0;
        }
        static void spill(taskhost_task_t *task) {
            char path[4096];
            snprintf(path, sizeof path, "%s/late", task->state_directory.bytes);
            close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
        }
        static void begin_background(taskhost_task_t *task) {
            const taskhost_lifecycle_t *life = task->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
            life->begin_assertion("leak", 0, 0);
        }
        static void make_deep_tree(taskhost_task_t *task) {
            int folder = open(task->state_directory.bytes, O_RDONLY | O_DIRECTORY);
            for (int depth = 0; depth < 3000; depth += 1) {
                mkdirat(folder, "deeper", 0700);
                int inner = openat(folder, "deeper", O_RDONLY | O_DIRECTORY);
                close(folder);
                folder = inner;
            }
            close(folder);
        }
        void handle(taskhost_task_t *task) { BODY }
        """

    /// The report of a check of one handler.
    private func check(_ body: String) throws -> (tool: Tool, failed: [String: (seen: String, printed: [String])]) {
        let folder = try Folder()
        try folder.makeFolder("lib")
        try Plugin.compile(
            Self.source.replacing("BODY", with: body), to: folder.file("lib/libx.so"), flags: ["-pthread"])
        try folder.write(
            "lib/com.example.cli.json",
            try Plugin.manifest(
                handler: "handle", library: "libx.so", budget: #"{"wallClock": "3s", "grace": "300ms"}"#))
        let tool = try Tool.run("check", "lib/libx.so", "--json", in: folder)
        let probes = try #require(try tool.document["probes"] as? [[String: Any]], "\(tool.errors)")
        var failed: [String: (String, [String])] = [:]
        for probe in probes where probe["verdict"] as? String == "fail" {
            failed[probe["probe"] as? String ?? ""] = (
                probe["seen"] as? String ?? "", probe["printed"] as? [String] ?? []
            )
        }
        #expect(tool.errors.isEmpty, "no folder is left: \(tool.errors)")
        return (tool, failed)
    }

    @Test("that does this is found", arguments: rows)
    func found(_ row: Row) throws {
        let (tool, failed) = try check(row.body)
        #expect(tool.status == 1, "\(tool.output)")
        let probe = try #require(failed[row.probe], "\(tool.output)")
        #expect(row.seen.isEmpty || probe.seen.contains(row.seen), "\(probe)")
    }

    @Test("that takes and gives back, writes and prints in time is no bad one")
    func good() throws {
        let body = """
            printf("half a line"); spill(task);
            task->host->retain(task);
            free(strdup(long_text));
            close(open("/dev/null", O_RDONLY));
            task->host->release(task);
            taskhost_complete(task, 1);
            """
        let (tool, failed) = try check(body)
        #expect(failed.isEmpty, "\(tool.output)")
        #expect(tool.status == 0)
    }

    @Test("that makes folders in folders without end leaves none behind")
    func deepTree() throws {
        let (tool, failed) = try check("make_deep_tree(task);" + Self.done)
        #expect(failed["completes within its budget"]?.seen.contains("too deep") == true, "\(tool.output)")
    }

    @Test("has the last lines of its run shown")
    func lastLines() throws {
        let (_, failed) = try check("printf(\"one\\ntwo\\n\"); printf(\"three\"); abort();")
        #expect(failed["completes within its budget"]?.printed == ["one", "two", "three"])
        let folder = try Folder()
        try folder.makeFolder("lib")
        try Plugin.compile(
            Self.source.replacing("BODY", with: "printf(\"no table\\033[1m\\n\"); _exit(3);"),
            to: folder.file("lib/libx.so"), flags: ["-pthread"])
        let tool = try Tool.run("check", "lib/libx.so", "--symbol", "handle", in: folder)
        #expect(tool.output.contains("completes within its budget: it printed last\n  no table"), "\(tool.output)")
        #expect(!tool.output.contains("\u{1B}"))
    }
}

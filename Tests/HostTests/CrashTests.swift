import Foundation
import TestSupport
import Testing

@Suite("What a process says of its crash")
struct CrashTests {
    struct Row: CustomStringConvertible {
        var description: String
        /// What the handler does.
        var body: String
        var signal: Int32
        var says: String
        /// Functions among its frames, innermost first; nil: the frames are not the test's business.
        var functions: [String] = []
    }

    static let rows = [
        Row(
            description: "a null pointer", body: "outer(0);", signal: 11,
            says: "in this run's thread: signal 11 (SIGSEGV) at address 0x0", functions: ["inner", "outer", "handle"]),
        Row(
            description: "an abort", body: "abort();", signal: 6, says: "in this run's thread: signal 6 (SIGABRT)",
            functions: ["handle"]),
        Row(
            description: "an illegal instruction", body: "__builtin_trap();", signal: TestMachine.trapSignal,
            says: TestMachine.trapSignal == SIGILL
                ? "in this run's thread: signal 4 (SIGILL) at address 0x"
                : "in this run's thread: signal 5 (SIGTRAP)", functions: ["handle"]),
        Row(
            description: "a stack that overflows", body: "deep(0);", signal: 11,
            says: "in this run's thread: signal 11 (SIGSEGV) at address 0x", functions: ["deep", "deep"]),
        Row(
            description: "a call of nothing", body: "nowhere(); nothing = 1;", signal: 11,
            says: "in this run's thread: signal 11 (SIGSEGV) at address 0x0", functions: ["handle"]),
        Row(
            description: "a thread of the plugin's own",
            body: "pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0);", signal: 11,
            says: "in a thread of no run in progress: signal 11 (SIGSEGV) at address 0x10", functions: ["thread"]),
        Row(
            description: "a signal that it sends itself", body: "raise(SIGBUS);", signal: 7,
            says: "in this run's thread: signal 7 (SIGBUS)", functions: ["handle"]),
        Row(
            description: "a crash with every signal blocked, for which the kernel calls no handler",
            body: "sigset_t all; sigfillset(&all); pthread_sigmask(SIG_BLOCK, &all, 0); outer(0);", signal: 11, says: ""
        ),
        Row(
            description: "a handler of the plugin's that passes it on",
            body: "sigaction(SIGSEGV, 0, &before); signal(SIGSEGV, chain); outer(0);", signal: 11,
            says: "signal 11 (SIGSEGV)"),
        Row(
            description: "a broken stack", body: "memset(__builtin_frame_address(0), 0x41, 4000); outer(0);",
            signal: 11,
            says: "in this run's thread: signal 11 (SIGSEGV)"),
    ]

    private static func source(_ body: String) -> String {
        """
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #include <taskhost.h>
        static volatile int nothing;
        static void (*volatile nowhere)(void);
        static struct sigaction before;
        static __attribute__((noinline)) void inner(volatile int *p) { *p = 1; }
        static __attribute__((noinline)) void outer(volatile int *p) { inner(p); nothing = 1; }
        static __attribute__((noinline)) void deep(int n) {
            volatile char room[512];
            room[n & 7] = 1;
            deep(n + 1);
            nothing = room[0];
        }
        static void *thread(void *context) { inner((volatile int *)0x10); return NULL; }
        static void chain(int signal) { sigaction(signal, &before, NULL); }
        TASKHOST_EXPORT void handle(taskhost_task_t *task) { \(body); nothing = 2; }
        TASKHOST_EXPORT void wait_long(taskhost_task_t *task) {
            printf("waiting\\n");
            for (int i = 0; i < 3000; i += 1) { if (taskhost_should_stop(task)) { break; } usleep(10000); }
            taskhost_complete(task, 1);
        }
        """
    }

    private func station(_ body: String) throws -> Station {
        let station = try Station()
        try station.compile("crash", Self.source(body), flags: ["-O1", "-fno-optimize-sibling-calls", "-pthread"])
        func task(_ handler: String) -> [String: Any] {
            ["kind": "processing", "handler": handler, "budget": ["wallClock": "20s", "grace": "2s"]]
        }
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.crash", "library": "libcrash.so",
                "tasks": ["com.example.crash.it": task("handle"), "com.example.crash.other": task("wait_long")],
            ]))
        return station
    }

    private struct Shown: Decodable {
        struct Frame: Decodable {
            var module: String?
            var symbol: String?
            var symbolOffset: Int?
        }
        var frames: [Frame]
    }

    @Test("names signal, address, thread and functions, and changes nothing of how it dies", arguments: rows)
    func claim(_ row: Row) throws {
        let station = try station(row.body)
        let report = try station.run("com.example.crash.it")
        let run = try #require(report.runs.first, "\(report.command)")
        #expect(run.outcome == "crashed" && run.signal == row.signal, "\(run)")
        if row.says.isEmpty {
            #expect(run.diagnostics.isEmpty, "\(run)")
        } else {
            #expect(run.diagnostics.contains { $0.hasPrefix("it says") && $0.contains(row.says) }, "\(run)")
        }
        let shown = try station.ask(Shown.self, "show", run.run)
        var names = shown.frames.compactMap(\.symbol)[...]
        for name in row.functions {
            let found = try #require(names.firstIndex(of: name), "\(name) in \(shown.frames)")
            names = names[(found + 1)...]
        }
        #expect(!shown.frames.contains { $0.module?.contains("taskhost-worker") == true })
        station.expectNothingLeft()
    }

    @Test("interrupts the other runs of the process, when it knows whose it was")
    func siblings() throws {
        let station = try station("usleep(200000); outer(0);")
        let report = try station.run("com.example.crash.it", "com.example.crash.other")
        #expect(report["com.example.crash.it"]?.outcome == "crashed", "\(report.command)")
        let other = try #require(report["com.example.crash.other"])
        #expect(other.outcome == "interrupted" && other.reason == "applicationTerminated", "\(other)")
        #expect(other.diagnostics.contains { $0.contains("in the thread of com.example.crash.it") }, "\(other)")
        #expect(report["com.example.crash.it"]?.diagnostics.count == 2)
    }

    @Test(
        "counts only when it ends so",
        arguments: [
            // A child that crashes is no crash of the worker's.
            "if (fork() == 0) { outer(0); } int status; wait(&status); taskhost_complete(task, 1);",
            // A frame that claims a crash.
            """
            unsigned char frame[37] = {48, 1, 0, 0, 37, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 11};
            send(3, frame, sizeof frame, 0); taskhost_complete(task, 1);
            """,
        ])
    func noCrash(_ body: String) throws {
        let run = try #require(try station(body).run("com.example.crash.it").runs.first)
        #expect(run.outcome == "succeeded" && run.diagnostics.isEmpty, "\(run)")
    }

    @Test("is not believed when the process ends otherwise, and ends it when it is nonsense")
    func forged() throws {
        let frame = "unsigned char frame[37] = {48, 1, 0, 0, 37, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL};"
        let exits = frame.replacing("SIGNAL", with: "11") + "send(3, frame, sizeof frame, 0); _exit(3);"
        let left = try #require(try station(exits).run("com.example.crash.it").runs.first)
        #expect(left.outcome == "exited" && left.diagnostics.isEmpty, "\(left)")
        let nonsense = frame.replacing("SIGNAL", with: "99") + "send(3, frame, sizeof frame, 0); pause();"
        let broken = try #require(try station(nonsense).run("com.example.crash.it").runs.first)
        #expect(broken.outcome == "crashed", "\(broken)")
        #expect(broken.diagnostics.contains { $0.contains("an invalid frame") }, "\(broken)")
    }

    @Test("is a note of the run that had completed before")
    func afterCompletion() throws {
        let station = try station("taskhost_complete(task, 1); outer(0);")
        #expect(try station.run("com.example.crash.it").runs.first?.outcome == "succeeded")
        // It came after the run had ended.
        let run = try #require(try station.history().first)
        #expect(
            run.diagnostics.contains { $0.contains("it says that it crashed after the completion: signal 11") },
            "\(run)")
    }

    @Test("has what the C library held back of standard output")
    func rest() throws {
        let station = try station(#"printf("a line\nhalf a line"); outer(0);"#)
        let run = try #require(try station.run("com.example.crash.it").runs.first)
        #expect(try station.logs(run).text == "a line\nhalf a line")
    }

    @Test("is shown by name to users, with a hint to what the run printed")
    func shown() throws {
        let station = try station("outer(0);")
        let text = try station.start(["run", "com.example.crash.it"]).finish()
        #expect(text.status == 14)
        let run = try #require(try station.history().first)
        #expect(text.errors.contains("taskhost logs \(run.run)"), "\(text)")
        #expect(text.errors.contains("inner + "), "\(text)")
        let show = try station.start(["show", run.run]).finish().output
        #expect(show.contains("11 (SIGSEGV)") && show.contains("says that it crashed at\n  0  inner + "), "\(show)")
        // Names of a file that was built again would be wrong ones.
        let library = station.manifestFolder.appending(path: "libcrash.so").path
        try FileManager.default.setAttributes([.modificationDate: Date() + 60], ofItemAtPath: library)
        let later = try station.start(["show", run.run]).finish().output
        #expect(later.contains("which is newer than the run") && !later.contains("inner + "), "\(later)")
    }
}

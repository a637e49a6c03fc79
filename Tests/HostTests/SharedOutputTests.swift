import Foundation
import TestSupport
import Testing

@Suite("Output of a process with several runs at once")
struct SharedOutputTests {
    private static let source = """
        #include <stdio.h>
        #include <unistd.h>
        #include <taskhost.h>
        static volatile int step;
        static void reach(int wanted) { while (step < wanted) { usleep(1000); } }
        TASKHOST_EXPORT void first(taskhost_task_t *task) {
            char path[4096];
            snprintf(path, sizeof path, "%s/go", task->state_directory.bytes);
            taskhost_should_stop(task);
            printf("first alone\\nfirst half");
            fflush(stdout);
            reach(1);
            printf("first beside\\n");
            step = 2;
            while (access(path, F_OK) != 0) { usleep(1000); }
            printf("first again\\n");
            taskhost_log(task, TASKHOST_LOG_INFO, "its own");
            taskhost_complete(task, 1);
        }
        TASKHOST_EXPORT void second(taskhost_task_t *task) {
            taskhost_should_stop(task);
            printf("second\\n");
            step = 1;
            reach(2);
            taskhost_complete(task, 1);
        }
        """

    @Test("is in the log of the one that began last, and both logs say so")
    func shared() throws {
        let station = try Station()
        try station.compile("shared", Self.source)
        func task(_ handler: String) -> [String: Any] {
            ["kind": "processing", "handler": handler, "budget": ["wallClock": "60s"]]
        }
        let (first, second) = ("com.example.shared.first", "com.example.shared.second")
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.shared", "library": "libshared.so",
                "tasks": [first: task("first"), second: task("second")],
            ]))
        let daemon = try Daemon(station)
        try daemon.tell("submit", first)
        try daemon.waitForWork(first)
        try daemon.tell("submit", second)
        try daemon.wait(for: "run.ended", second)
        let folder = station.state + "/applications/com.example.shared/state"
        #expect(FileManager.default.createFile(atPath: folder + "/go", contents: nil))
        _ = chmod(folder + "/go", 0o644)
        try daemon.wait(for: "run.ended", first)
        let history = try daemon.ask(RunDocument.List.self, "history").runs
        #expect(try daemon.stop().status == 0)

        let one = try #require(history.first { $0.identifier == first })
        let two = try #require(history.first { $0.identifier == second })
        #expect(
            try station.logs(one).text == """
                first alone
                first half
                taskhost: from here on the process's output is in the log of \(second) (\(two.run))
                taskhost: the process's output is in this log again
                first again
                info: its own

                """)
        #expect(
            try station.logs(two).text == """
                taskhost: \(first) (\(one.run)) may have printed this as well
                second
                first beside

                """)
        station.expectNothingLeft()
    }
}

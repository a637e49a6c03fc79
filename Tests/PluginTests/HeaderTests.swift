import Foundation
import TestSupport
import Testing

@Suite("taskhost.h")
struct HeaderTests {
    struct Dialect: CustomTestStringConvertible {
        var compiler: String
        var standard: String
        var testDescription: String { "\(compiler) -std=\(standard)" }
        var isCPlusPlus: Bool { standard.hasPrefix("c++") }
    }

    static let dialects = [
        ("c", ["gcc", "clang"], ["c99", "c11", "c17"]), ("c++", ["g++", "clang++"], ["c++11", "c++20"]),
    ].flatMap { _, compilers, standards in
        compilers.flatMap { compiler in standards.map { Dialect(compiler: compiler, standard: $0) } }
    }

    /// Uses every type, every shorthand and the application table.
    static let program = """
        #include <taskhost.h>

        extern void handle(taskhost_task_t *task);
        static void expire(void *context, uint32_t reason) { (void)context; (void)reason; }
        void handle(taskhost_task_t *task) {
            taskhost_bytes_t payload = task->payload;
            taskhost_release(taskhost_retain(task));
            taskhost_set_expiration_handler(task, expire, task);
            taskhost_log(task, TASKHOST_LOG_INFO, "text");
            (void)taskhost_progress(task, (int64_t)payload.length, 0, "text");
            (void)taskhost_complete(task, !taskhost_should_stop(task) && taskhost_time_remaining(task) > 0 &&
                                              taskhost_expiration_reason(task) == TASKHOST_REASON_NONE);
        }
        static int32_t launch(const taskhost_launch_t *launch) {
            return launch->register_handler(launch->registry, "org.example.task", handle);
        }
        const taskhost_application_t taskhost_application_v1 = {
            sizeof(taskhost_application_t), TASKHOST_ABI_VERSION, launch, 0, 0, 0,
        };

        """

    @Test("compiles without a warning, and exports an application, in every dialect", arguments: dialects)
    func compiles(_ dialect: Dialect) throws {
        let folder = try Folder()
        let source = try folder.write("program." + (dialect.isCPlusPlus ? "cpp" : "c"), Self.program)
        let library = folder.file("libprogram.so")
        let build = try Command.run(
            dialect.compiler,
            [
                "-std=\(dialect.standard)", "-Wall", "-Wextra", "-pedantic", "-Werror", "-shared", "-fPIC",
                "-fvisibility=hidden", "-I", Places.include.path, "-o", library.path, source.path,
            ])
        #expect(build.succeeded, "\(build.output)")
        let run = try Harness.run(library, ["--task", "org.example.task"])
        #expect(run.outcome == "succeeded", "\(run.output)")
    }

    @Test("refuses to compile when the layout of a struct changes")
    func layoutIsAsserted() throws {
        let folder = try Folder()
        let header = try String(contentsOf: Places.include.appending(path: "taskhost.h"), encoding: .utf8)
        let changed = header.replacing("    uint32_t kind; ", with: "    uint64_t kind; ")
        #expect(changed != header)
        try folder.write("taskhost.h", changed)
        let source = try folder.write("program.c", "#include \"taskhost.h\"\n")
        for standard in ["c99", "c11"] {
            let build = try Command.run("gcc", ["-std=\(standard)", "-fsyntax-only", source.path])
            #expect(!build.succeeded)
            #expect(build.output.contains("taskhost_"), "\(build.output)")
        }
    }
}

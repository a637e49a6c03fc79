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
        #include <taskhost_scheduling.h>
        #include <taskhost_transfer.h>

        extern void handle(taskhost_task_t *task);
        static void expire(void *context, uint32_t reason) { (void)context; (void)reason; }
        void handle(taskhost_task_t *task) {
            taskhost_bytes_t payload = task->payload;
            taskhost_release(taskhost_retain(task));
            taskhost_set_expiration_handler(task, expire, task);
            taskhost_log(task, TASKHOST_LOG_INFO, "text");
            (void)taskhost_progress(task, (int64_t)payload.length, 0, "text");
            if (taskhost_complete_later(task, 0) != TASKHOST_INVALID) { return; }
            (void)taskhost_complete(task, !taskhost_should_stop(task) && taskhost_time_remaining(task) > 0 &&
                                              taskhost_expiration_reason(task) == TASKHOST_REASON_NONE);
        }
        static int32_t launch(const taskhost_launch_t *launch) {
            return launch->register_handler(launch->registry, "org.example.task", handle);
        }
        static void expire_assertion(void *context) { (void)context; }
        static void act(void *context, int32_t expired) { (void)context; (void)expired; }
        static void show(void *context, const taskhost_request_t *request) { (void)context; (void)request; }
        static const taskhost_lifecycle_t *services;
        extern int use(const taskhost_launch_t *launch);
        int use(const taskhost_launch_t *launch) {
            const taskhost_scheduling_t *scheduling =
                (const taskhost_scheduling_t *)launch->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
            const taskhost_lifecycle_t *lifecycle =
                (const taskhost_lifecycle_t *)launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
            const taskhost_information_t *information =
                (const taskhost_information_t *)launch->host->get_extension(TASKHOST_INFORMATION_EXTENSION);
            const taskhost_notifications_t *notifications =
                (const taskhost_notifications_t *)launch->host->get_extension(TASKHOST_NOTIFICATIONS_EXTENSION);
            if (notifications) { notifications->note("text"); }
            taskhost_request_t request = {
                sizeof(taskhost_request_t), TASKHOST_ABI_VERSION, {"a", 1}, TASKHOST_KIND_PROCESSING,
                TASKHOST_REQUEST_NEEDS_POWER, 0, {0, 0}, {0, 0}, 0, 0,
            };
            if (!scheduling || !lifecycle || !information || information->background_mode_count > 9) { return 0; }
            scheduling->pending(show, &request);
            scheduling->cancel(0);
            (void)lifecycle->end_assertion(lifecycle->begin_assertion("name", expire_assertion, 0));
            (void)lifecycle->perform_expiring_activity("reason", act, 0);
            (void)lifecycle->set_minimum_fetch_interval(TASKHOST_FETCH_INTERVAL_MINIMUM);
            services = lifecycle;
            return scheduling->submit(&request, 0, 0) == TASKHOST_OK && scheduling->permitted_count > 0 &&
                   scheduling->permitted[0].kind == TASKHOST_KIND_PROCESSING &&
                   lifecycle->state() == TASKHOST_STATE_BACKGROUND && lifecycle->background_time_remaining() > 0 &&
                   lifecycle->background_refresh() == TASKHOST_REFRESH_AVAILABLE;
        }
        static void know(void *context, const taskhost_known_transfer_t *known) { (void)context; (void)known->request; }
        static const taskhost_transfer_t *transfers;
        static void told(void *context, const taskhost_transfer_event_t *event) {
            taskhost_transfer_answer_t answer = {
                sizeof(taskhost_transfer_answer_t), TASKHOST_ABI_VERSION, TASKHOST_ANSWER_CREDENTIAL, 0, {"a", 1},
                {"b", 1}, 0,
            };
            (void)context;
            if (event->kind == TASKHOST_TRANSFER_CHALLENGE && event->challenge->method == TASKHOST_CHALLENGE_BASIC) {
                (void)transfers->answer(event->session, event->number, &answer);
            }
            if (event->cancel_reason != TASKHOST_CANCEL_REASON_NONE || event->kind == TASKHOST_TRANSFER_ALL_TOLD) {
                (void)transfers->acknowledge(event->session, event->sequence);
            }
        }
        extern int transfer(const taskhost_launch_t *launch);
        int transfer(const taskhost_launch_t *launch) {
            taskhost_session_options_t options = {
                sizeof(taskhost_session_options_t), TASKHOST_ABI_VERSION, TASKHOST_SESSION_SENDS_LAUNCH_EVENTS, 0, 0, 0,
                {0, 0},
            };
            taskhost_header_t header = {{"a", 1}, {"b", 1}};
            taskhost_transfer_request_t request = {
                sizeof(taskhost_transfer_request_t), TASKHOST_ABI_VERSION, TASKHOST_TRANSFER_DOWNLOAD, 0, {"u", 1},
                {0, 0}, &header, 1, {0, 0}, {0, 0}, TASKHOST_TRANSFER_AT_ONCE, 0, -1, -1, {0, 0}, {0, 0}, 0.5f, 0,
            };
            uint32_t session = 0, number = 0;
            transfers = (const taskhost_transfer_t *)launch->host->get_extension(TASKHOST_TRANSFER_EXTENSION);
            if (!transfers) { return 0; }
            if (transfers->open("s", &options, know, told, 0, &session, &number, 0, 0) == TASKHOST_SESSION_IN_USE) { return 1; }
            (void)transfers->create(session, &request, &number, 0, 0);
            (void)transfers->set_priority(session, number, 1.0f);
            return transfers->resume(session, number) == TASKHOST_OK && transfers->replay(session) == TASKHOST_OK &&
                   transfers->session_handled("s") == TASKHOST_OK;
        }
        static void hear(const taskhost_event_t *event) {
            if (event->kind == TASKHOST_EVENT_HANDLE_SESSION_EVENTS) { return; }
            if (event->kind != TASKHOST_EVENT_PERFORM_FETCH || !event->task || !services) { return; }
            (void)services->complete_event(
                event->task, services->open_assertions() ? TASKHOST_FETCH_NO_DATA : TASKHOST_FETCH_FAILED);
        }
        const taskhost_application_t taskhost_application_v1 = {
            sizeof(taskhost_application_t), TASKHOST_ABI_VERSION, launch, 0, 0, 0, hear,
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

    /// Layouts as a compiler of another day sees them, without the header's own assertions.
    @Test("keeps the layouts of the services of version 1")
    func serviceLayouts() throws {
        let members: [(String, String, Int)] = [
            ("taskhost_request_t", "identifier", 8), ("taskhost_request_t", "kind", 24),
            ("taskhost_request_t", "flags", 28), ("taskhost_request_t", "earliest", 32),
            ("taskhost_request_t", "title", 40), ("taskhost_request_t", "subtitle", 56),
            ("taskhost_request_t", "resources", 72), ("taskhost_permitted_t", "kind", 16),
            ("taskhost_scheduling_t", "flags", 8), ("taskhost_scheduling_t", "supported_resources", 12),
            ("taskhost_scheduling_t", "permitted", 16), ("taskhost_scheduling_t", "permitted_count", 24),
            ("taskhost_scheduling_t", "register_handler", 32), ("taskhost_scheduling_t", "submit", 40),
            ("taskhost_scheduling_t", "cancel", 48), ("taskhost_scheduling_t", "pending", 56),
            ("taskhost_scheduling_t", "report", 64), ("taskhost_scheduling_t", "update_title", 72),
            ("taskhost_scheduling_t", "title", 80), ("taskhost_lifecycle_t", "state", 8),
            ("taskhost_lifecycle_t", "background_refresh", 16), ("taskhost_lifecycle_t", "begin_assertion", 24),
            ("taskhost_lifecycle_t", "end_assertion", 32), ("taskhost_lifecycle_t", "background_time_remaining", 40),
            ("taskhost_lifecycle_t", "perform_expiring_activity", 48), ("taskhost_lifecycle_t", "open_assertions", 56),
            ("taskhost_lifecycle_t", "set_minimum_fetch_interval", 64), ("taskhost_lifecycle_t", "complete_event", 72),
            ("taskhost_application_t", "launch", 8), ("taskhost_application_t", "state_changed", 16),
            ("taskhost_application_t", "will_terminate", 24), ("taskhost_application_t", "run_main", 32),
            ("taskhost_application_t", "event", 40), ("taskhost_event_t", "kind", 8), ("taskhost_event_t", "state", 12),
            ("taskhost_event_t", "task", 16), ("taskhost_event_t", "payload", 24),
            ("taskhost_session_options_t", "flags", 8), ("taskhost_session_options_t", "connections_per_host", 12),
            ("taskhost_session_options_t", "request_timeout", 16),
            ("taskhost_session_options_t", "resource_timeout", 24),
            ("taskhost_session_options_t", "proxy", 32), ("taskhost_header_t", "value", 16),
            ("taskhost_transfer_request_t", "kind", 8), ("taskhost_transfer_request_t", "flags", 12),
            ("taskhost_transfer_request_t", "url", 16), ("taskhost_transfer_request_t", "method", 32),
            ("taskhost_transfer_request_t", "headers", 48), ("taskhost_transfer_request_t", "header_count", 56),
            ("taskhost_transfer_request_t", "file", 64), ("taskhost_transfer_request_t", "text", 80),
            ("taskhost_transfer_request_t", "earliest", 96), ("taskhost_transfer_request_t", "timeout", 104),
            ("taskhost_transfer_request_t", "expected_send", 112),
            ("taskhost_transfer_request_t", "expected_receive", 120),
            ("taskhost_transfer_request_t", "sha256", 128), ("taskhost_transfer_request_t", "resume_data", 144),
            ("taskhost_transfer_request_t", "priority", 160), ("taskhost_known_transfer_t", "number", 8),
            ("taskhost_known_transfer_t", "is_suspended", 12), ("taskhost_known_transfer_t", "received", 16),
            ("taskhost_known_transfer_t", "sent", 24), ("taskhost_known_transfer_t", "total", 32),
            ("taskhost_known_transfer_t", "request", 40), ("taskhost_known_transfer_t", "state", 48),
            ("taskhost_transfer_challenge_t", "method", 0),
            ("taskhost_transfer_challenge_t", "port", 4), ("taskhost_transfer_challenge_t", "is_secure", 8),
            ("taskhost_transfer_challenge_t", "is_proxy", 12), ("taskhost_transfer_challenge_t", "failures", 16),
            ("taskhost_transfer_challenge_t", "host", 24), ("taskhost_transfer_challenge_t", "realm", 40),
            ("taskhost_transfer_event_t", "session", 8), ("taskhost_transfer_event_t", "number", 12),
            ("taskhost_transfer_event_t", "sequence", 16), ("taskhost_transfer_event_t", "kind", 24),
            ("taskhost_transfer_event_t", "error", 28), ("taskhost_transfer_event_t", "cancel_reason", 32),
            ("taskhost_transfer_event_t", "status", 36), ("taskhost_transfer_event_t", "received", 40),
            ("taskhost_transfer_event_t", "expected_receive", 48), ("taskhost_transfer_event_t", "sent", 56),
            ("taskhost_transfer_event_t", "expected_send", 64), ("taskhost_transfer_event_t", "path", 72),
            ("taskhost_transfer_event_t", "url", 88), ("taskhost_transfer_event_t", "sentence", 104),
            ("taskhost_transfer_event_t", "data", 120), ("taskhost_transfer_event_t", "headers", 136),
            ("taskhost_transfer_event_t", "header_count", 144), ("taskhost_transfer_event_t", "challenge", 152),
            ("taskhost_transfer_answer_t", "kind", 8), ("taskhost_transfer_answer_t", "user", 16),
            ("taskhost_transfer_answer_t", "password", 32), ("taskhost_transfer_answer_t", "request", 48),
            ("taskhost_transfer_t", "open", 8), ("taskhost_transfer_t", "replay", 16),
            ("taskhost_transfer_t", "invalidate", 24), ("taskhost_transfer_t", "create", 32),
            ("taskhost_transfer_t", "resume", 40), ("taskhost_transfer_t", "suspend", 48),
            ("taskhost_transfer_t", "cancel", 56), ("taskhost_transfer_t", "set_priority", 64),
            ("taskhost_transfer_t", "set_text", 72), ("taskhost_transfer_t", "set_earliest", 80),
            ("taskhost_transfer_t", "set_expected", 88), ("taskhost_transfer_t", "answer", 96),
            ("taskhost_transfer_t", "acknowledge", 104), ("taskhost_transfer_t", "session_handled", 112),
            ("taskhost_transfer_t", "set_authorization", 120),
        ]
        let folder = try Folder()
        let checks = members.map { "_Static_assert(offsetof(\($0), \($1)) == \($2), \"\($1)\");\n" }.joined()
        let source = try folder.write(
            "layout.c",
            "#include <stddef.h>\n#include <taskhost_scheduling.h>\n#include <taskhost_transfer.h>\n" + checks)
        let build = try Command.run("gcc", ["-std=c11", "-fsyntax-only", "-I", Places.include.path, source.path])
        #expect(build.succeeded, "\(build.output)")
    }

    @Test("of the services refuses to compile when the layout of a struct changes")
    func serviceLayoutIsAsserted() throws {
        let folder = try Folder()
        for name in ["taskhost.h", "taskhost_scheduling.h"] {
            let text = try String(contentsOf: Places.include.appending(path: name), encoding: .utf8)
            let changed = text.replacing("    uint32_t supported_resources;", with: "    uint64_t supported_resources;")
            #expect((changed != text) == (name == "taskhost_scheduling.h"))
            try folder.write(name, changed)
        }
        let source = try folder.write("program.c", "#include \"taskhost_scheduling.h\"\n")
        let build = try Command.run("gcc", ["-std=c11", "-fsyntax-only", source.path])
        #expect(!build.succeeded)
        #expect(build.output.contains("taskhost_scheduling_t of ABI 1"), "\(build.output)")
    }
}

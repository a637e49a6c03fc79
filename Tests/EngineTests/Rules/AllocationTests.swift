import Engine
import Glibc
import Record
import TaskModel
import Testing

/// The hot path: a warm run must cost the engine no allocation.
///
/// The count comes from a library that stands before `malloc`, so it needs its own process: the test starts itself
/// again with that library preloaded.
struct AllocationTests {
    private static let runs = 10_000
    /// Allocations per run; reached is 0.
    private static let most = 0.2

    @Test(.enabled(if: !Self.isSanitized, "a sanitizer replaces malloc itself"))
    func `A warm run costs the engine and its record no allocation`() throws {
        if let count = Self.counter {
            let result = try #require(getenv("TASKHOST_ALLOCATIONS").map { String(cString: $0) })
            try Self.write("\(try Self.measure(count))", to: result)
            return
        }
        let folder = try Self.makeFolder()
        defer { Self.remove(folder) }
        let library = folder + "/count.so"
        try Self.write(Self.source, to: folder + "/count.c")
        try #require(
            try Self.run("/usr/bin/env", ["cc", "-shared", "-fPIC", "-O1", "-o", library, folder + "/count.c"]) == 0,
            "no C compiler")
        let result = folder + "/count"
        try #require(
            try Self.run(
                "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", "AllocationTests"],
                environment: ["LD_PRELOAD=\(library)", "TASKHOST_ALLOCATIONS=\(result)"]) == 0)
        let count = try #require(Int(try Self.read(result)), "the counting process left no number")
        let perRun = Double(count) / Double(Self.runs)
        print("Engine: \(perRun) allocations per warm run")
        #expect(perRun <= Self.most)
    }

    /// Allocations of this thread during that many warm runs.
    private static func measure(_ count: @convention(c) () -> UInt) throws -> Int {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(10), isMonitored: true)
        let (first, worker) = try #require(bench.running(task))
        var now = bench.now
        bench.engine.handle(
            .completed(worker, first, success: true, result: nil, automatic: false), at: now)
        bench.engine.release(first)
        bench.engine.removeActions()
        var record = TurnRecord()
        var before = 0 as UInt
        for turn in 0..<runs + 100 {
            // The tables have grown to their size by then.
            if turn == 100 { before = count() }
            now.instant = now.instant + .milliseconds(1)
            bench.engine.handle(
                .submitted(Submission(task: task, id: ULID(high: 0, low: UInt64(turn)), requester: 0)), at: now)
            guard case .write(.insert(let run)) = bench.engine.actions[0] else { return .max }
            bench.engine.handle(.metered(worker, cpu: .zero, peak: ByteCount(bytes: 0)), at: now)
            bench.engine.handle(
                .completed(worker, run, success: true, result: nil, automatic: false), at: now)
            bench.engine.advance(to: now)
            guard let slot = bench.engine.runs[run], slot.outcome == .succeeded else { return .max }
            record.begin(turn: UInt64(turn))
            record.append(
                .runBegan(RunStart(id: slot.id, task: 1, attempt: 1, submittedAt: slot.submitted), waits: []))
            record.append(.runEnded(RunEnd(id: slot.id, outcome: .succeeded, endedAt: now.time), slot.events))
            bench.engine.release(run)
            bench.engine.removeActions()
        }
        return Int(count() - before)
    }

    // MARK: The counting library

    private static let source = """
        #include <stddef.h>
        extern void *__libc_malloc(size_t);
        extern void *__libc_calloc(size_t, size_t);
        extern void *__libc_realloc(void *, size_t);
        extern void *__libc_memalign(size_t, size_t);
        static __thread unsigned long count;
        unsigned long taskhost_allocations(void) { return count; }
        void *malloc(size_t size) { count++; return __libc_malloc(size); }
        void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
        void *realloc(void *old, size_t size) { count++; return __libc_realloc(old, size); }
        void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
        int posix_memalign(void **out, size_t alignment, size_t size)
        {
            count++;
            *out = __libc_memalign(alignment, size);
            return *out ? 0 : 12;
        }

        """

    private static var counter: (@convention(c) () -> UInt)? {
        dlsym(nil, "taskhost_allocations").map { unsafeBitCast($0, to: (@convention(c) () -> UInt).self) }
    }

    private static var isSanitized: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

    // MARK: Files and processes

    private struct Fault: Error { var call: String }

    private static func makeFolder() throws -> String {
        var path = Array("/tmp/taskhost-count-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw Fault(call: "mkdtemp") }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func remove(_ folder: String) {
        for name in ["count", "count.c", "count.so"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Fault(call: "fopen") }
        fputs(text, file)
        fclose(file)
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Fault(call: "fopen") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Its exit status, or -1; its standard output goes nowhere.
    private static func run(_ program: String, _ arguments: [String], environment: [String] = []) throws -> Int32 {
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in argv { free(text) } }
        var variables = environment.map { strdup($0) }
        defer { for text in variables.prefix(environment.count) { free(text) } }
        var inherited = environ
        while let text = inherited.pointee {
            variables.append(text)
            inherited += 1
        }
        variables.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, nil, &argv, &variables) == 0 else {
            throw Fault(call: "posix_spawn")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { throw Fault(call: "waitpid") } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}

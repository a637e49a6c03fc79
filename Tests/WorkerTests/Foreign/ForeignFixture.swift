import Glibc
import TaskModel

@testable import Worker

/// Where the functions under test come from: the C library, zlib, and a small library built here.
enum ForeignFixture {
    /// What no system library offers: every width of result, and callbacks kept beyond the call.
    private static let source = """
        #include <pthread.h>
        #include <stdbool.h>
        #include <stdint.h>
        #include <string.h>
        int8_t echo_i8(int8_t v) { return v; }      uint8_t echo_u8(uint8_t v) { return v; }
        int16_t echo_i16(int16_t v) { return v; }   uint16_t echo_u16(uint16_t v) { return v; }
        int32_t echo_i32(int32_t v) { return v; }   uint32_t echo_u32(uint32_t v) { return v; }
        int64_t echo_i64(int64_t v) { return v; }   uint64_t echo_u64(uint64_t v) { return v; }
        float echo_f32(float v) { return v; }       double echo_f64(double v) { return v; }
        bool echo_bool(bool v) { return v; }        const void *echo_pointer(const void *v) { return v; }
        static int nothings;
        void nothing(void) { nothings++; }          int32_t count_nothings(void) { return nothings; }
        bool same_text(const char *a, const char *b) { return strcmp(a, b) == 0; }
        double weigh(int8_t a, uint16_t b, float c, int64_t d, double e, bool f, uint8_t g, int32_t h, float i, int16_t j) {
            return a + 2.0 * b + 3.0 * c + 4.0 * d + 5.0 * e + 6.0 * f + 7.0 * g + 8.0 * h + 9.0 * i + 10.0 * j;
        }
        int32_t ask_with_extras(int32_t (*stop)(const char *, void *, int32_t, double), int32_t times) {
            int32_t asked = 0;
            while (asked < times && !stop("x", &asked, asked, 0.5)) asked++;
            return asked;
        }
        double ask_time(double (*remaining)(void)) { return remaining(); }
        float ask_time_f32(float (*remaining)(void)) { return remaining(); }
        int8_t ask_time_i8(int8_t (*remaining)(void)) { return remaining(); }
        int32_t ask_bool(bool (*stop)(void)) { return stop() ? 21 : 12; }
        void complete_i8(void (*done)(int8_t), int8_t v) { done(v); }
        void complete_i64(void (*done)(int64_t), int64_t v) { done(v); }
        void complete_extras(int32_t (*done)(int32_t, const char *), int32_t v) { done(v, "text"); }
        static void (*kept)(int32_t);
        void keep(void (*done)(int32_t)) { kept = done; }
        static void *later(void *value) { kept((int32_t)(intptr_t)value); return 0; }
        int32_t call_kept_on_thread(int32_t value) {
            pthread_t thread;
            if (pthread_create(&thread, 0, later, (void *)(intptr_t)value)) return -1;
            return pthread_join(thread, 0);
        }
        static int32_t (*kept_stop)(void);
        void keep_stop(int32_t (*stop)(void)) { kept_stop = stop; }
        int32_t ask_kept(void) { return kept_stop(); }
        """

    private static let built = makeTemporaryFolder().map { folder in
        let library = "\(folder)/libForeign.so"
        write(source, to: "\(folder)/foreign.c")
        let status = run(["cc", "-shared", "-fPIC", "-O1", "-o", library, "\(folder)/foreign.c", "-lpthread"])
        return (library: library, status: status)
    }
    /// The library of `source`.
    static var library: String { built?.library ?? "" }

    /// Finds a symbol, such as `crc32` of `libz.so.1`.
    static func symbol(_ name: String, in library: String) -> UnsafeMutableRawPointer? {
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else { return nil }
        return dlsym(handle, name)
    }

    static func makeTemporaryFolder() -> String? {
        var template = Array("/tmp/taskhost-foreign-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    private static func run(_ arguments: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var pid = pid_t()
        guard posix_spawnp(&pid, arguments[0], nil, nil, words, environ) == 0 else { return -1 }
        var status: Int32 = -1
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}

import CLinux
import Glibc
import Linux
import Synchronization
import TaskModel
import Wire

/// Notices what checked handlers do to the process that they share with others. A worker that is not checked has none.
final class HandlerWatch: Sendable {
    /// Milliseconds at most until files are stamped with a later time.
    private static let longestTick = 100

    /// What belongs to the process.
    private struct Standing: Equatable {
        let output = Standing.file(1)
        let error = Standing.file(2)
        let folder = FileSystem.realPath(".")
        let fileMode: mode_t = {
            let mode = umask(0o077)
            _ = umask(mode)
            return mode
        }()

        /// What a descriptor stands for; nil: it is closed.
        private static func file(_ descriptor: Int32) -> [UInt64]? {
            var facts = clinux_stat_t()
            return clinux_fstat(descriptor, &facts) == 0 ? [facts.device, facts.inode] : nil
        }
    }
    private let standing = Standing()
    private let changes = Mutex<WorkerCount.Changes>([])

    /// To be made after the confinement, and before any code of the plugin is mapped.
    init() { WorkerProcess.runs.fill() }

    /// A handler has returned, on this thread.
    func look() {
        guard clinux_blocked_signals() == 1 else { return }
        changes.withLock { _ = $0.insert(.signals) }
    }

    /// The run is complete: marks that in the output. Returns when whatever is written to files from now on is stamped later.
    func mark() {
        let mark = CompletionMark(time: Timestamp(nanoseconds: clinux_realtime_ns()))
        let bytes = mark.bytes
        if write(2, bytes, bytes.count) < 0 { _ = write(1, bytes, bytes.count) }
        for _ in 0..<Self.longestTick where clinux_realtime_coarse_ns() <= mark.time.nanoseconds {
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            nanosleep(&pause, nil)
        }
    }

    private static let levels = ["debug", "info", "notice", "warning", "error"]

    /// Writes a log line where the marks are, so that its place tells whether it came in time.
    func log(_ level: UInt32, _ text: UnsafePointer<CChar>, length: Int) {
        let word = Self.levels[min(Int(level), Self.levels.count - 1)]
        let line = Array("\(word): ".utf8) + UnsafeRawBufferPointer(start: text, count: length) + [0x0A]
        if write(2, line, line.count) < 0 { _ = write(1, line, line.count) }
    }

    /// Answers the host.
    func count() {
        let now = Standing()
        var changes = changes.withLock { $0 }
        if now.output != standing.output { changes.insert(.standardOutput) }
        if now.error != standing.error { changes.insert(.standardError) }
        if now.folder != standing.folder { changes.insert(.workingFolder) }
        if now.fileMode != standing.fileMode { changes.insert(.fileMode) }
        // What was held back comes before the answer.
        clinux_flush_output()
        let states = WorkerProcess.runs.unreleased()
        WorkerProcess.wire.send(
            WorkerCount(
                descriptors: UInt32(max(0, clinux_open_descriptors())), tasks: states.completed,
                expirations: states.expiring, assertions: WorkerProcess.assertions.held, heap: clinux_heap_in_use(),
                changes: changes
            ).frame())
    }
}

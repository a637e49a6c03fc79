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
        let fileMode = ThisProcess.fileModeMask

        /// The file of a descriptor; nil: it is closed.
        private static func file(_ descriptor: Int32) -> [UInt64]? {
            FileSystem.facts(lent: descriptor).map { [$0.device, $0.inode] }
        }
    }
    private let standing = Standing()
    private let changes = Mutex<WorkerCount.Changes>([])

    /// To be made after the confinement, and before any code of the plugin is mapped.
    init() { WorkerProcess.runs.fill() }

    /// A handler has returned, on this thread.
    func look() {
        guard ThisProcess.blocksSignals else { return }
        changes.withLock { _ = $0.insert(.signals) }
    }

    /// The run is complete: writes a mark to each stream of the output. When it returns, later writes to files have later times.
    func mark() {
        let mark = CompletionMark(time: Clock.moment().time)
        StandardStream.tellBoth(mark.bytes)
        for _ in 0..<Self.longestTick where Clock.fileTime() <= mark.time {
            Clock.pause(.milliseconds(1))
        }
    }

    private static let levels = ["debug", "info", "notice", "warning", "error"]

    /// Writes a log line to the output, so that its place shows whether it was in time.
    func log(_ level: UInt32, _ text: UnsafePointer<CChar>, length: Int) {
        let word = Self.levels[min(Int(level), Self.levels.count - 1)]
        let text = unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
        StandardStream.tell(Array("\(word): ".utf8) + text + [0x0A])
    }

    /// Answers the host.
    func count() {
        let now = Standing()
        var changes = changes.withLock { $0 }
        if now.output != standing.output { changes.insert(.standardOutput) }
        if now.error != standing.error { changes.insert(.standardError) }
        if now.folder != standing.folder { changes.insert(.workingFolder) }
        if now.fileMode != standing.fileMode { changes.insert(.fileMode) }
        // Buffered output comes before the answer.
        StandardStream.flush()
        let states = WorkerProcess.runs.unreleased()
        WorkerProcess.wire.send(
            WorkerCount(
                descriptors: UInt32(ThisProcess.openDescriptors), tasks: states.completed,
                expirations: states.expiring, assertions: WorkerProcess.assertions.held, heap: ThisProcess.heapInUse,
                changes: changes
            ).frame())
    }
}

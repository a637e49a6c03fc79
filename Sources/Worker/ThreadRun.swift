import Linux
import TaskModel

/// The run that a thread works on, which the handler of a fatal signal reports. No system call, no allocation.
enum ThreadRun {
    /// Calls `body`, which is code of that run's.
    static func with(_ run: RunHandle, _ body: () -> Void) {
        let before = CrashHandler.setRun(UInt64(run.index) | UInt64(run.generation) << 32)
        body()
        _ = CrashHandler.setRun(before)
    }
}

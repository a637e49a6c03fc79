import Glibc

/// Waits, so that its worker can be weighed: the smallest Swift handler that touches the Swift runtime.
@c(bench_swift_idle) public func idle(_ task: UnsafeMutablePointer<taskhost_task_t>) {
    var waits: [UInt32] = []
    while taskhost_should_stop(task) == 0 {
        waits = [1000]
        for wait in waits { usleep(wait) }
    }
    _ = taskhost_complete(task, waits.isEmpty ? 0 : 1)
}

import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// One run in this process. Its first member is what the plugin sees as `taskhost_task_t`, so that a pointer to one is a
/// pointer to the other. Created and recycled by `LiveRuns`; manually reference-counted, since the plugin holds references.
// States are made by LiveRuns and never unmapped; what several threads use of one is atomic or locked.
@safe struct HandlerRun: ~Copyable {
    var task: taskhost_task
    /// Who adds one holds one, so that adding orders nothing (relaxed); the last release sees all that earlier ones did
    /// (acquiring and releasing).
    let references: Atomic<UInt32>
    /// A flag that is seen shows what was written before it was set, such as `reason`: set releasing, read acquiring. `watches`
    /// says nothing about other memory, and may be set relaxed.
    let flags: Atomic<UInt32>
    /// Written before `expired` is set.
    let reason: Atomic<UInt32>
    /// The present end of the budget, in monotonic nanoseconds; `task.deadline` is that of the start. A number by itself: relaxed.
    let deadline: Atomic<UInt64>
    /// Monotonic nanoseconds before which no further progress is forwarded. It only paces: relaxed; the report has the lock.
    let progressQuiet: Atomic<UInt64>
    let guarded: Mutex<Guarded>
    /// 1 while the expiration handler is being called. Changed under the lock.
    let handlerGate = Futex()
    var handle: RunHandle
    /// Descriptors of the run's secrets, closed with its last reference, and their names. Not changed between.
    var secrets: [Int32] = []
    var secretNames: [String] = []
    /// Of a continued-processing run; in `storage`.
    var title = unsafe taskhost_bytes()
    var subtitle = unsafe taskhost_bytes()
    /// Its `traceparent`; empty: no traces are made. In `storage`.
    var trace = unsafe taskhost_bytes()
    /// Of a request of the fleet, with the number of its claim; empty and 0: it is the host's own. In `storage`.
    var claimKey = unsafe taskhost_bytes()
    var claimNumber: Int64 = 0
    /// Payload, settings override, run id and names, a NUL after each; grown as needed, kept when recycled.
    var storage: UnsafeMutableRawBufferPointer

    struct Flags {
        static let completed: UInt32 = 1
        static let expired: UInt32 = 2
        /// It is not completed at its warning: should_stop was called, or the handler is a foreign function, a program or an
        /// application's event.
        static let watches: UInt32 = 4
        static let saidTwice: UInt32 = 8
        static let saidDead: UInt32 = 16
        static let saidBadDeferral: UInt32 = 32
    }

    /// The state under the lock.
    // By contract the context lives until its handler was called or replaced.
    @safe struct Guarded: @unchecked Sendable {  // the plugin's context may be used from any thread by contract
        var handler: taskhost_expiration_fn?
        var context: UnsafeMutableRawPointer?
        /// A handler was called: the run has had its warning.
        var wasCalled = false
        /// The thread that is calling it.
        var callingThread: ThreadIdentity?
        var heldProgress: ProgressReport?
        /// Keeps libffi closures alive while the plugin may call them.
        var keepsAlive: AnyObject?
    }

    init(host: UnsafePointer<taskhost_host>) {
        unsafe task = taskhost_task(
            struct_size: UInt32(MemoryLayout<taskhost_task>.size), abi_version: TASKHOST_ABI_VERSION, host: host,
            identifier: taskhost_bytes_t(), run: taskhost_bytes_t(), settings: taskhost_bytes_t(),
            payload: taskhost_bytes_t(), state_directory: taskhost_bytes_t(), cache_directory: taskhost_bytes_t(),
            manifest_directory: taskhost_bytes_t(), deadline: 0, kind: 0, attempt: 0, plugin_data: nil)
        references = Atomic(0)
        flags = Atomic(0)
        reason = Atomic(0)
        deadline = Atomic(0)
        progressQuiet = Atomic(0)
        guarded = Mutex(Guarded())
        handle = RunHandle(index: 0, generation: 0)
        unsafe storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Makes a recycled state ready for the next run, with one reference. The last store publishes the others.
    mutating func begin(_ run: RunHandle) {
        handle = run
        flags.store(0, ordering: .relaxed)
        reason.store(0, ordering: .relaxed)
        progressQuiet.store(0, ordering: .relaxed)
        unsafe task.plugin_data = nil
        references.store(1, ordering: .releasing)
    }

    /// Room for `count` bytes in `storage`.
    mutating func reserve(_ count: Int) {
        guard unsafe storage.count < count else { return }
        unsafe storage.deallocate()
        unsafe storage = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 256), alignment: 16)
    }
}

import CTaskHost
import Synchronization

/// One run of the host, and one reference to it: when this object goes before the run was completed, the run ends as
/// unreported.
@safe package final class RunReference: @unchecked Sendable {  // the services may be called from any thread
    package let task: UnsafeMutablePointer<taskhost_task_t>
    package let identifier: String
    private let services: UnsafePointer<taskhost_host_t>
    fileprivate let number: UInt64

    /// Marks the code that works for a run, in structured and unstructured Swift tasks alike. A number, not the run: work
    /// that continues must not keep the run open.
    @TaskLocal fileprivate static var currentNumber: UInt64?

    package init(retaining task: UnsafeMutablePointer<taskhost_task_t>) {
        unsafe services = unsafe task.pointee.host
        unsafe self.task = unsafe services.pointee.retain(task)
        identifier = unsafe String(task.pointee.identifier)
        number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        Self.open.withLock { [number] in $0.append(Open(number: number, run: self)) }
    }

    deinit {
        close()
        unsafe services.pointee.release(task)
    }

    // MARK: Services

    /// The bytes of one of the run's secrets; nil: it has none of that name, or the host gives none.
    package func secret(_ name: String) -> [UInt8]? {
        let found = unsafe services.pointee.get_extension(TASKHOST_SECRETS_EXTENSION)
        guard let found = unsafe found,
            let table = unsafe ExtensionTable.read(found, as: taskhost_secrets_t.self, first: 24)
        else { return nil }
        let length = unsafe table.pointee.read(task, name, nil, 0)
        guard length >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = unsafe bytes.withUnsafeMutableBytes { room in
            unsafe table.pointee.read(task, name, room.baseAddress, UInt64(room.count))
        }
        return count == length ? bytes : nil
    }

    /// Its place in a trace, as W3C Trace Context writes it; nil: the host sends no traces.
    package var traceparent: String? {
        let found = unsafe services.pointee.get_extension(TASKHOST_TRACE_EXTENSION)
        guard let found = unsafe found,
            let table = unsafe ExtensionTable.read(found, as: taskhost_trace_t.self, first: 16)
        else { return nil }
        var text = unsafe taskhost_bytes_t()
        guard unsafe table.pointee.traceparent(task, &text) == TASKHOST_OK, unsafe text.length > 0 else { return nil }
        return unsafe String(text)
    }

    /// The claim of a fleet's request that it serves: the request's key, and the claim's number; nil: the request is the host's
    /// own.
    package var fleetClaim: (key: String, number: Int64)? {
        let found = unsafe services.pointee.get_extension(TASKHOST_FLEET_EXTENSION)
        guard let found = unsafe found,
            let table = unsafe ExtensionTable.read(found, as: taskhost_fleet_t.self, first: 16)
        else { return nil }
        var key = unsafe taskhost_bytes_t()
        var number: Int64 = 0
        guard unsafe table.pointee.claim(task, &key, &number) == TASKHOST_OK, number > 0 else { return nil }
        return unsafe (String(key), number)
    }

    /// Ends the run; false when it has ended already.
    package func complete(success: Bool) -> Bool {
        close()
        DefaultsDomains.flush()
        return unsafe services.pointee.complete(task, success ? 1 : 0) == TASKHOST_OK
    }

    /// Ends the run, whose request waits for this many seconds; false when it has ended already, for numbers outside of 1 to
    /// 604,800, and under a host without deferrals: the run then continues.
    package func complete(later seconds: Double) -> Bool {
        DefaultsDomains.flush()
        guard unsafe taskhost_complete_later(task, seconds) == TASKHOST_OK else { return false }
        close()
        return true
    }

    /// Ends the run of a fetch or a remote notification with TASKHOST_FETCH_…; false when it has ended already.
    package func complete(fetch result: UInt32) -> Bool {
        close()
        DefaultsDomains.flush()
        // A host that starts such runs has it.
        guard let complete = unsafe ConnectedHost.current?.lifecycle?.pointee.complete_event else { return false }
        return unsafe complete(task, result) == TASKHOST_OK
    }

    package func report(completed: Int64, of total: Int64, text: String?) {
        _ = unsafe services.pointee.progress(task, completed, total, text)
    }

    package func log(_ level: UInt32, _ text: String) {
        unsafe text.withTaskHostBytes { bytes in
            guard let start = unsafe bytes.bytes else { return }
            unsafe services.pointee.log(task, level, start, bytes.length)
        }
    }

    package func setExpirationHandler(_ handler: taskhost_expiration_fn?, context: UnsafeMutableRawPointer?) {
        unsafe services.pointee.set_expiration_handler(task, handler, context)
    }

    package var expirationReason: UInt32 { unsafe services.pointee.expiration_reason(task) }
    package var timeRemaining: Double { unsafe services.pointee.time_remaining(task) }

    // MARK: The run that code works for

    private struct Open: Sendable {
        let number: UInt64
        weak var run: RunReference?
    }
    /// Each number once, in any order: relaxed.
    private static let lastNumber = Atomic<UInt64>(0)
    /// Runs that have not been completed, oldest first. A process has a handful.
    private static let open = Mutex<[Open]>([])

    private func close() {
        Self.open.withLock { [number] in $0.removeAll { $0.number == number } }
    }

    /// Whether it has not been completed by this process.
    package var isOpen: Bool { Self.open.withLock { [number] in $0.contains { $0.number == number } } }

    /// No code works for a run any more.
    static func forget() { open.withLock { $0.removeAll() } }

    /// Runs `body` as work of this run.
    package func working<Result>(_ body: () -> Result) -> Result {
        Self.$currentNumber.withValue(number) { body() }
    }

    /// The open run of the calling code; when that is unknown (on an operation queue or a thread), the newest.
    package static var current: RunReference? {
        let number = currentNumber
        return open.withLock { open in
            // Work of a run that is over must not write into another's log.
            if let number { return open.first { $0.number == number }?.run }
            return open.last?.run
        }
    }
}

/// Where log lines go: to the log of the run that the calling code works for, else to standard error.
package enum RunLog {
    package static func write(_ level: UInt32, _ text: String) {
        if let run = RunReference.current { run.log(level, text) } else { StandardError.write(text) }
    }
}

internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// Registers handlers for the tasks of this application and submits requests to run them.
open class BGTaskScheduler: NSObject, @unchecked Sendable {  // stateless; the tables behind it have their own locks
    /// The scheduler of this application.
    open class var shared: BGTaskScheduler { single }
    private static let single = BGTaskScheduler()

    /// For subclasses that replace the scheduler in tests.
    public override init() { super.init() }

    /// What continued processing may ask for on this machine.
    open class var supportedResources: BGContinuedProcessingTaskRequest.Resources {
        unsafe .init(rawValue: Int(ConnectedHost.current?.scheduling?.pointee.supported_resources ?? 0))
    }

    /// Registers the handler of a task. All must be registered before the application has finished launching, those of
    /// continued processing at any time.
    /// - Parameters:
    ///   - identifier: one that the manifest permits.
    ///   - queue: where the handler and the expiration handler run, preferably a serial one; nil for a serial queue of its own.
    ///   - launchHandler: receives every run of the task and must complete it.
    /// - Returns: false when the manifest does not permit the identifier.
    @discardableResult
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        LaunchHandlers.register(identifier, queue: queue, launchHandler)
    }

    /// Submits a request and returns when it is on disk. A pending one of the same identifier is replaced.
    /// - Throws: `BGTaskScheduler.Error`.
    open func submit(_ taskRequest: BGTaskRequest) throws {
        try Submission.submit(taskRequest)
    }

    /// Submits a request, as iOS 27 has it. A pending one of the same identifier is replaced.
    /// - Parameters:
    ///   - taskRequest: the request; not to be changed before the handler is called.
    ///   - completionHandler: called late, when the request is on disk or refused, on any queue: here one of the framework's
    ///     own. The error is a `BGTaskScheduler.Error`.
    ///
    /// Not to be called on the main thread: with `"sdk": "27"` in the manifest such a call is reported.
    @preconcurrency open func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        Submission.noteMainThread(taskRequest)
        DispatchQueue.global().async { [self] in
            do {
                try submit(taskRequest)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    /// Submits a request, away from the calling actor.
    /// - Throws: `BGTaskScheduler.Error`.
    open func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Swift.Error>) in
            submitTaskRequest(taskRequest) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Cancels the pending request of a task. A run in progress continues.
    open func cancel(taskRequestWithIdentifier identifier: String) {
        unsafe ConnectedHost.current?.scheduling?.pointee.cancel(identifier)
    }

    /// Cancels every pending request of the application.
    open func cancelAllTaskRequests() {
        unsafe ConnectedHost.current?.scheduling?.pointee.cancel(nil)
    }

    /// Gives copies of the requests that are pending. The handler is called on a queue of the framework's own.
    @preconcurrency open func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        DispatchQueue.global().async { completionHandler(Submission.pending()) }
    }

    /// Copies of the requests that are pending.
    open func pendingTaskRequests() async -> [BGTaskRequest] {
        await withCheckedContinuation { continuation in
            getPendingTaskRequests { continuation.resume(returning: $0) }
        }
    }
}

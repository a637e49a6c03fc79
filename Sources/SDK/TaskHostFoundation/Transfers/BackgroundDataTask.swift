/// A data task of a background session. As on iOS since version 8 it runs in the process, as long as that runs: the host does not
/// continue it. FoundationNetworking's part of the object is never used.
final class BackgroundDataTask: URLSessionDataTask, @unchecked Sendable {
    /// The task of a session of this process that does the work.
    let inner: URLSessionDataTask
    private let number: Int

    init(_ inner: URLSessionDataTask, number: Int) {
        self.inner = inner
        self.number = number
        super.init()
        progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    override var taskIdentifier: Int { number }
    override var originalRequest: URLRequest? { inner.originalRequest }
    override var currentRequest: URLRequest? { inner.currentRequest }
    override var response: URLResponse? { inner.response }
    override var progress: Progress { inner.progress }
    override var state: URLSessionTask.State { inner.state }
    override var error: (any Error)? { inner.error }
    override var countOfBytesReceived: Int64 { inner.countOfBytesReceived }
    override var countOfBytesSent: Int64 { inner.countOfBytesSent }
    override var countOfBytesExpectedToReceive: Int64 { inner.countOfBytesExpectedToReceive }
    override var countOfBytesExpectedToSend: Int64 { inner.countOfBytesExpectedToSend }
    override var taskDescription: String? {
        get { inner.taskDescription }
        set { inner.taskDescription = newValue }
    }
    override var priority: Float {
        get { inner.priority }
        set { inner.priority = newValue }
    }
    override func resume() { inner.resume() }
    override func suspend() { inner.suspend() }
    override func cancel() { inner.cancel() }
}

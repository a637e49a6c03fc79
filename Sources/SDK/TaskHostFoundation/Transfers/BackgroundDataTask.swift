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

/// The data tasks of a background session, and the session of this process that runs them. Its delegate: the background session's
/// own hears of each event with the background session and its task, on the same queue.
final class DataTasks: NSObject, @unchecked Sendable {  // guarded by `lock`
    private let lock = NSLock()
    private var tasks: [Int: BackgroundDataTask] = [:]
    private var runner: URLSession?
    /// Set before any task is made.
    weak var owner: BackgroundSession?

    func create(_ request: URLRequest, number: Int, of session: BackgroundSession) -> BackgroundDataTask {
        lock.withLock {
            let runner = runner ?? makeRunner(session)
            self.runner = runner
            let task = BackgroundDataTask(runner.dataTask(with: request), number: number)
            tasks[task.inner.taskIdentifier] = task
            return task
        }
    }

    private func makeRunner(_ session: BackgroundSession) -> URLSession {
        let configuration = URLSessionConfiguration.default
        let background = session.configuration
        configuration.httpAdditionalHeaders = background.httpAdditionalHeaders
        configuration.httpCookieStorage = background.httpCookieStorage
        configuration.httpShouldSetCookies = background.httpShouldSetCookies
        configuration.httpCookieAcceptPolicy = background.httpCookieAcceptPolicy
        configuration.timeoutIntervalForRequest = background.timeoutIntervalForRequest
        configuration.timeoutIntervalForResource = background.timeoutIntervalForResource
        configuration.requestCachePolicy = background.requestCachePolicy
        return URLSession(configuration: configuration, delegate: self, delegateQueue: session.delegateQueue)
    }

    /// Those that are not done.
    var all: [BackgroundDataTask] { lock.withLock { tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier } } }

    /// The session that runs them keeps this object until then.
    func end() {
        lock.withLock {
            runner?.finishTasksAndInvalidate()
            runner = nil
        }
    }

    private func task(of inner: URLSessionTask) -> BackgroundDataTask? { lock.withLock { tasks[inner.taskIdentifier] } }

    private var dataDelegate: (any FoundationNetworking.URLSessionDataDelegate)? {
        owner?.delegate as? any FoundationNetworking.URLSessionDataDelegate
    }
    private var taskDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        owner?.delegate as? any FoundationNetworking.URLSessionTaskDelegate
    }
}

extension DataTasks: FoundationNetworking.URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let owner, let task = task(of: dataTask), let dataDelegate else { return completionHandler(.allow) }
        dataDelegate.urlSession(owner, dataTask: task, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let owner, let task = task(of: dataTask) else { return }
        dataDelegate?.urlSession(owner, dataTask: task, didReceive: data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let owner, let own = self.task(of: task), let taskDelegate else { return completionHandler(request) }
        taskDelegate.urlSession(
            owner, task: own, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let owner, let own = self.task(of: task), let taskDelegate else {
            return completionHandler(.performDefaultHandling, nil)
        }
        taskDelegate.urlSession(owner, task: own, didReceive: challenge, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let owner, let own = self.task(of: task) else { return }
        taskDelegate?.urlSession(
            owner, task: own, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let own = lock.withLock({ tasks.removeValue(forKey: task.taskIdentifier) }), let owner else { return }
        taskDelegate?.urlSession(owner, task: own, didCompleteWithError: error)
        owner.endIfDone()
    }
}

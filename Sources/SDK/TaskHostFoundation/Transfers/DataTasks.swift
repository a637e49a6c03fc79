internal import TaskHostRuntime

/// The data tasks of a background session, and the session of this process that runs them. Its delegate: the background session's
/// own hears of each event with the background session and its task, on the same queue.
final class DataTasks: NSObject, @unchecked Sendable {  // guarded by `lock`
    private let lock = NSLock()
    private var tasks: [Int: BackgroundDataTask] = [:]
    private var runner: URLSession?
    /// Tasks of `runner` that were under way during a suspension.
    private var lost: Set<Int> = []
    /// Set before any task is made.
    weak var owner: BackgroundSession?

    /// Begins to watch suspensions, with the first data task of the process.
    private static let watch: Void? = ConnectedHost.current?.watchSuspension { BackgroundSession.loseDataTasks() }

    func create(_ request: URLRequest, number: Int, of session: BackgroundSession) -> BackgroundDataTask {
        _ = Self.watch
        return lock.withLock {
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

    /// The process was suspended: as on iOS its own tasks that were under way have lost their connections.
    func loseRunning() {
        let running = all.filter { $0.state == .running }
        lock.withLock { for task in running { lost.insert(task.inner.taskIdentifier) } }
        for task in running { task.cancel() }
    }

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
        let (own, isLost) = lock.withLock {
            (tasks.removeValue(forKey: task.taskIdentifier), lost.remove(task.taskIdentifier) != nil)
        }
        guard let own, let owner else { return }
        let error = isLost && error != nil ? Self.connectionLost(task.originalRequest?.url) : error
        taskDelegate?.urlSession(owner, task: own, didCompleteWithError: error)
        owner.endIfDone()
    }

    private static func connectionLost(_ url: URL?) -> any Error {
        URLError(
            _nsError: NSError(
                domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost,
                userInfo: [
                    NSLocalizedDescriptionKey: "The network connection was lost: the process was suspended.",
                    NSURLErrorFailingURLErrorKey: url as Any,
                ]))
    }
}

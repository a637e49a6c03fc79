// The protocols of delegates: refinements of FoundationNetworking's under the same names, which add what Linux lacks. A method
// that is declared here is a requirement, so that the client's own is called and not the default.

/// A session's delegate.
public protocol URLSessionDelegate: FoundationNetworking.URLSessionDelegate {
    /// All events for which the application was launched or resumed have been delivered. Called on the delegate's queue.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

extension URLSessionDelegate {
    /// Does nothing.
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

/// A session's delegate for events of tasks.
public protocol URLSessionTaskDelegate: FoundationNetworking.URLSessionTaskDelegate, URLSessionDelegate {
    /// A task of a background session waits for a network.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// The date has come that a task of a background session waited for.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)
    /// A server has sent an answer before the final one to a task of a background session: a status of 102 to 199, such as 104
    /// when an upload can be resumed. Only while the process runs, and at most 16 times for an attempt.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)
}

extension URLSessionTaskDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
    /// Continues. The application is not launched again to be asked.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) { completionHandler(.continueLoading, DelayedRequests.unasked) }
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {}
}

/// Whether a delegate answers delayed requests itself: Swift does not tell a method of its own from the default.
enum DelayedRequests {
    /// The default's answer.
    static let unasked = URLRequest(url: URL(filePath: "/dev/null/unasked"))
}

/// A session's delegate for events of data tasks.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate, URLSessionTaskDelegate {}

/// A session's delegate for events of downloads.
public protocol URLSessionDownloadDelegate: FoundationNetworking.URLSessionDownloadDelegate, URLSessionTaskDelegate {}

/// A session's delegate for events of web sockets.
public protocol URLSessionWebSocketDelegate: FoundationNetworking.URLSessionWebSocketDelegate, URLSessionTaskDelegate {}

/// A session's delegate for events of streams.
public protocol URLSessionStreamDelegate: FoundationNetworking.URLSessionStreamDelegate, URLSessionTaskDelegate {}

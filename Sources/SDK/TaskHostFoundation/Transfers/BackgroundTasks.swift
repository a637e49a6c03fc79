// Both classes have the same members: Swift cannot share overrides between two branches of a class hierarchy.

/// A task of a background session.
protocol BackgroundTask: URLSessionTask {
    var transfer: Transfer { get }
}

/// A download of a background session. FoundationNetworking's part of the object is never used but for its `progress`.
final class BackgroundDownloadTask: URLSessionDownloadTask, BackgroundTask, @unchecked Sendable {
    let transfer: Transfer
    init(_ transfer: Transfer) {
        self.transfer = transfer
        super.init()
    }
    override var taskIdentifier: Int { transfer.number }
    override var originalRequest: URLRequest? { transfer.request }
    override var currentRequest: URLRequest? { transfer[\.current] ?? transfer.request }
    override var response: URLResponse? { transfer[\.response] }
    override var state: URLSessionTask.State { transfer[\.state] }
    override var error: (any Error)? { transfer[\.error] }
    override var countOfBytesReceived: Int64 { transfer[\.received] }
    override var countOfBytesSent: Int64 { transfer[\.sent] }
    override var countOfBytesExpectedToReceive: Int64 { transfer[\.expectedReceive] }
    override var countOfBytesExpectedToSend: Int64 { transfer[\.expectedSend] }
    override var countOfBytesClientExpectsToReceive: Int64 {
        get { transfer.hintReceive }
        set { transfer.hintReceive = newValue }
    }
    override var countOfBytesClientExpectsToSend: Int64 {
        get { transfer.hintSend }
        set { transfer.hintSend = newValue }
    }
    // As the overridden one is.
    @available(*, deprecated)
    override var earliestBeginDate: Date? {
        get { transfer.begin }
        set { transfer.begin = newValue }
    }
    override var taskDescription: String? {
        get { transfer.text }
        set { transfer.text = newValue }
    }
    override var priority: Float {
        get { transfer.priority }
        set { transfer.priority = newValue }
    }
    override var delegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        get { transfer.delegate }
        set { transfer.delegate = newValue }
    }
    override func resume() { transfer.resume() }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        transfer.cancel(completionHandler)
    }
}

/// An upload of a background session, and in lenient mode a task of a kind that such a session does not have.
final class BackgroundUploadTask: URLSessionUploadTask, BackgroundTask, @unchecked Sendable {
    let transfer: Transfer
    init(_ transfer: Transfer) {
        self.transfer = transfer
        super.init()
    }
    override var taskIdentifier: Int { transfer.number }
    override var originalRequest: URLRequest? { transfer.request }
    override var currentRequest: URLRequest? { transfer[\.current] ?? transfer.request }
    override var response: URLResponse? { transfer[\.response] }
    override var state: URLSessionTask.State { transfer[\.state] }
    override var error: (any Error)? { transfer[\.error] }
    override var countOfBytesReceived: Int64 { transfer[\.received] }
    override var countOfBytesSent: Int64 { transfer[\.sent] }
    override var countOfBytesExpectedToReceive: Int64 { transfer[\.expectedReceive] }
    override var countOfBytesExpectedToSend: Int64 { transfer[\.expectedSend] }
    override var countOfBytesClientExpectsToReceive: Int64 {
        get { transfer.hintReceive }
        set { transfer.hintReceive = newValue }
    }
    override var countOfBytesClientExpectsToSend: Int64 {
        get { transfer.hintSend }
        set { transfer.hintSend = newValue }
    }
    // As the overridden one is.
    @available(*, deprecated)
    override var earliestBeginDate: Date? {
        get { transfer.begin }
        set { transfer.begin = newValue }
    }
    override var taskDescription: String? {
        get { transfer.text }
        set { transfer.text = newValue }
    }
    override var priority: Float {
        get { transfer.priority }
        set { transfer.priority = newValue }
    }
    override var delegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        get { transfer.delegate }
        set { transfer.delegate = newValue }
    }
    override func resume() { transfer.resume() }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
}

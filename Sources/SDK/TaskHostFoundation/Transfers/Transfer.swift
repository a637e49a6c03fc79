internal import TaskHostRuntime

/// The state of a background session's task, for `BackgroundDownloadTask` and `BackgroundUploadTask`. Any thread.
final class Transfer: @unchecked Sendable {  // guarded by `lock`
    struct Values {
        var state = URLSessionTask.State.suspended
        var current: URLRequest?
        var response: HTTPURLResponse?
        var error: (any Error)?
        var received: Int64 = 0
        var sent: Int64 = 0
        var expectedReceive = NSURLSessionTransferSizeUnknown
        var expectedSend = NSURLSessionTransferSizeUnknown
        var hintReceive = NSURLSessionTransferSizeUnknown
        var hintSend = NSURLSessionTransferSizeUnknown
        var text: String?
        var priority = URLSessionTask.defaultPriority
        var begin: Date?
        /// Of `cancel(byProducingResumeData:)`.
        var resumeData: ((Data?) -> Void)?
        /// A received file, until the end is received: then its response is known.
        var file: (path: String, sequence: UInt64)?
        /// The application receives the response to an upload once.
        var toldResponse = false
    }
    let number: Int
    let isDownload: Bool
    let request: URLRequest
    /// For an upload: the path of the file.
    let file: String?
    let session: BackgroundSession
    /// nil: the host has it. Else how it ends as soon as it is resumed.
    let failure: TransferNews.Ending?
    /// In lenient mode a task that is refused for its completion handler calls that.
    let refused: ((any Error) -> Void)?
    private var values: Values
    private let lock = NSLock()
    private weak var task: URLSessionTask?

    init(
        _ number: Int, isDownload: Bool, _ request: URLRequest, file: String? = nil, of session: BackgroundSession,
        failure: TransferNews.Ending? = nil, refused: ((any Error) -> Void)? = nil, values: Values = Values()
    ) {
        self.number = number
        self.isDownload = isDownload
        self.request = request
        self.file = file
        self.session = session
        self.failure = failure
        self.refused = refused
        self.values = values
    }

    /// A lock beside the values instead of a Mutex: requests and closures are not Sendable.
    subscript<Value>(_ path: WritableKeyPath<Values, Value>) -> Value {
        get { lock.withLock { values[keyPath: path] } }
        set { lock.withLock { values[keyPath: path] = newValue } }
    }

    func makeTask() -> URLSessionTask {
        let task: URLSessionTask = isDownload ? BackgroundDownloadTask(self) : BackgroundUploadTask(self)
        self.task = task
        task.progress.cancellationHandler = { [weak task] in task?.cancel() }
        return task
    }

    private var link: SessionLink? { failure == nil ? session.link : nil }

    // MARK: Changes by the application

    func resume() {
        let begins = change(from: [.suspended], to: .running)
        guard begins else { return }
        if let failure { return session.fail(number, failure) }
        link?.resume(number)
    }

    func suspend() {
        if change(from: [.running], to: .suspended) { link?.suspend(number) }
    }

    func cancel(_ resumeData: ((Data?) -> Void)? = nil) {
        if let resumeData { self[\.resumeData] = resumeData }
        guard change(from: [.suspended, .running], to: .canceling) else {
            if let resumeData {
                self[\.resumeData] = nil
                resumeData(nil)
            }
            return
        }
        if let link { return link.cancel(number, resumeData: resumeData != nil) }
        session.fail(number, TransferNews.Ending(error: NSURLErrorCancelled, sentence: "cancelled"))
    }

    private func change(from old: [URLSessionTask.State], to new: URLSessionTask.State) -> Bool {
        lock.withLock {
            guard old.contains(values.state) else { return false }
            values.state = new
            return true
        }
    }

    var text: String? {
        get { self[\.text] }
        set {
            self[\.text] = newValue
            link?.setText(number, newValue ?? "")
        }
    }
    var priority: Float {
        get { self[\.priority] }
        set {
            self[\.priority] = newValue
            link?.setPriority(number, newValue)
        }
    }
    var begin: Date? {
        get { self[\.begin] }
        set {
            self[\.begin] = newValue
            link?.setEarliest(number, newValue)
        }
    }
    var hintReceive: Int64 {
        get { self[\.hintReceive] }
        set {
            self[\.hintReceive] = newValue
            link?.setExpected(number, send: self[\.hintSend], receive: newValue)
        }
    }
    var hintSend: Int64 {
        get { self[\.hintSend] }
        set {
            self[\.hintSend] = newValue
            link?.setExpected(number, send: newValue, receive: self[\.hintReceive])
        }
    }
    var delegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        get { session.delegate as? any FoundationNetworking.URLSessionTaskDelegate }
        set {
            Misuse.found(
                "Task delegates are not supported in background sessions.", advice: "use the session's delegate",
                exception: "NSGenericException")
        }
    }

    // MARK: Events of the host

    func move(_ counts: TransferNews.Counts) {
        lock.withLock {
            (values.received, values.sent) = (counts.received, counts.sent)
            (values.expectedReceive, values.expectedSend) = (counts.expectedReceive, counts.expectedSend)
        }
        guard let progress = task?.progress else { return }
        progress.totalUnitCount = isDownload ? counts.expectedReceive : counts.expectedSend
        progress.completedUnitCount = isDownload ? counts.received : counts.sent
    }

    /// nil: no server has answered.
    func response(_ reply: TransferNews.Reply) -> HTTPURLResponse? {
        guard reply.status > 0, let url = URL(string: reply.url) ?? request.url else { return nil }
        return HTTPURLResponse(
            url: url, statusCode: reply.status, httpVersion: "HTTP/1.1", headerFields: reply.headers)
    }

    func take(_ reply: TransferNews.Reply) {
        guard let response = response(reply) else { return }
        var current = request
        current.url = response.url
        lock.withLock { (values.response, values.current) = (response, current) }
    }

    /// Stores the cookies of the last response where the session's configuration wants them; the storage's own policy
    /// applies too.
    func keepCookies(of reply: TransferNews.Reply) {
        let configuration = session.configuration
        guard request.httpShouldHandleCookies, configuration.httpShouldSetCookies,
            configuration.httpCookieAcceptPolicy != .never, let storage = configuration.httpCookieStorage,
            reply.headers.keys.contains(where: { $0.lowercased() == "set-cookie" }),
            let url = URL(string: reply.url) ?? request.url
        else { return }
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: reply.headers, for: url)
        storage.setCookies(cookies, for: url, mainDocumentURL: nil)
    }

    /// What resumes it; nil: the host gave nothing.
    func archive(_ resumeData: Data) -> Data? { ResumeArchive.data(of: resumeData, request, file: file) }

    func end(_ ending: TransferNews.Ending) {
        take(ending.reply)
        let failure = ending.error.map { error(code: $0, ending) }
        lock.withLock {
            (values.error, values.state) = (failure, .completed)
            // An end without any byte does not change the earlier count.
            values.received = max(values.received, ending.received)
            values.sent = max(values.sent, ending.sent)
        }
    }

    /// As on iOS, for ends without a text of the host: FoundationNetworking has none for them.
    private static let words = [
        NSURLErrorCancelled: "cancelled", NSURLErrorTimedOut: "The request timed out.",
    ]

    private func error(code: Int, _ ending: TransferNews.Ending) -> any Error {
        var info: [String: Any] = [:]
        info[NSLocalizedDescriptionKey] = ending.sentence.isEmpty ? Self.words[code] : ending.sentence
        info[NSURLErrorFailingURLErrorKey] = request.url
        // The constant is unavailable on Linux.
        info["NSErrorFailingURLStringKey"] = request.url?.absoluteString
        info[NSURLErrorBackgroundTaskCancelledReasonKey] = ending.cancelReason
        let key = isDownload ? NSURLSessionDownloadTaskResumeData : NSURLSessionUploadTaskResumeData
        info[key] = archive(ending.resumeData)
        return URLError(_nsError: NSError(domain: NSURLErrorDomain, code: code, userInfo: info))
    }
}

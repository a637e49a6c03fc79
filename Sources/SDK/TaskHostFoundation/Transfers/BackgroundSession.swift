internal import Synchronization
internal import TaskHostRuntime

/// A session whose tasks the host runs. Everything that FoundationNetworking's class would do itself is overridden; its part
/// keeps the delegate, the queue and the configuration, and calls `didBecomeInvalidWithError`.
final class BackgroundSession: URLSession, @unchecked Sendable {  // guarded by `state`
    struct State {
        var link: SessionLink?
        var fault = SessionLink.Fault(code: NSURLErrorUnknown, sentence: "")
        var tasks: [Int: URLSessionTask] = [:]
        var events = EventQueue()
        /// The last number of a task that the host does not know.
        var lastOwn = 0
        var isInvalid = false
        var isOver = false
    }
    let state = Mutex(State())
    let name: String
    /// The session of this process that has the identifier already: the host's events go there, and so do our tasks.
    let first: BackgroundSession?
    /// Those that this process runs itself.
    let dataTasks = DataTasks()
    /// Until they are invalidated, as on iOS, where they and their delegates live so long too.
    private static let live = Mutex<[String: BackgroundSession]>([:])
    /// The first number for tasks that the host does not know, in a session that it knows.
    private static let ownNumbers = 1 << 30

    init(
        _ background: BackgroundConfiguration, _ delegate: (any FoundationNetworking.URLSessionDelegate)?,
        _ queue: OperationQueue?
    ) {
        name = background.identifier ?? ""
        first = Self.live.withLock { [name] in $0[name] }
        super.FoundationNetworking::init(configuration: background, delegate: delegate, delegateQueue: queue)
        dataTasks.owner = self
        if delegate == nil {
            Diagnostic.write(
                "the background session \(name) has no delegate, and receives no events; pass one")
        }
        guard first == nil else {
            Diagnostic.write(
                "A background URLSession with identifier \(name) already exists! Its delegate hears of the transfers of "
                    + "both; keep one session, or invalidate it first")
            return
        }
        Self.live.withLock { [name] in $0[name] = self }
        open(background)
    }

    var link: SessionLink? { (first ?? self).state.withLock { $0.link } }

    private func open(_ configuration: BackgroundConfiguration) {
        do throws(SessionLink.Fault) {
            let (link, known) = try SessionLink.open(configuration) { [weak self] in self?.hear($0) }
            let tasks = known.compactMap { task(of: $0) }
            state.withLock { state in
                state.link = link
                state.lastOwn = Self.ownNumbers
                for task in tasks { state.tasks[task.taskIdentifier] = task }
            }
            SessionHandling.opened(name)
            // Identifiers continue after the existing ones, and no event arrives before its task is known.
            link.replay()
        } catch {
            state.withLock { $0.fault = error }
            Diagnostic.write("the background session \(name) is dead, and its tasks fail: \(error.sentence)")
        }
    }

    private func task(of known: SessionLink.Known) -> URLSessionTask? {
        guard let request = known.wish.request else { return nil }
        var values = Transfer.Values()
        values.state = known.state
        values.text = known.wish.text.isEmpty ? nil : known.wish.text
        (values.begin, values.priority) = (known.wish.earliest, known.wish.priority)
        let file = known.isDownload ? nil : known.wish.file
        let transfer = Transfer(
            known.number, isDownload: known.isDownload, request, file: file, of: self, values: values)
        let task = transfer.makeTask()
        let size = NSURLSessionTransferSizeUnknown
        transfer.move(
            TransferNews.Counts(
                received: known.received, expectedReceive: known.isDownload ? known.total : size, sent: known.sent,
                expectedSend: known.isDownload ? size : known.total))
        return task
    }

    /// The process that had them is gone.
    static func forget() { live.withLock { $0.removeAll() } }

    /// The process was suspended, and continues.
    static func loseDataTasks() {
        for session in live.withLock({ Array($0.values) }) { session.dataTasks.loseRunning() }
    }

    // MARK: Tasks

    /// Creates a task of the host. Without the host, or with an invalid request, it fails when it is resumed.
    func create(_ request: URLRequest, _ wish: TransferWish, isDownload: Bool) -> URLSessionTask {
        if let first { return first.create(request, wish, isDownload: isDownload) }
        complainIfInvalid()
        return state.withLock { state in
            // Under the lock: the task is known before the host can send events for it.
            var failure = TransferNews.Ending(error: state.fault.code, sentence: state.fault.sentence)
            if let link = state.link, let created = link.create(wish, isDownload: isDownload) {
                guard let fault = created.fault else {
                    let file = isDownload ? nil : wish.file
                    let task = Transfer(created.number, isDownload: isDownload, request, file: file, of: self)
                        .makeTask()
                    state.tasks[created.number] = task
                    return task
                }
                failure = TransferNews.Ending(error: NSURLErrorBadURL, sentence: fault)
            }
            return Self.failing(failure, request, isDownload, of: self, &state)
        }
    }

    private func complainIfInvalid() {
        guard state.withLock({ $0.isInvalid }) else { return }
        Misuse.found(
            "Task created in a session that has been invalidated", advice: "make a new session",
            exception: "NSGenericException")
    }

    private static func failing(
        _ failure: TransferNews.Ending, _ request: URLRequest, _ isDownload: Bool, of session: BackgroundSession,
        refused: ((any Error) -> Void)? = nil, _ state: inout State
    ) -> URLSessionTask {
        state.lastOwn += 1
        let transfer = Transfer(
            state.lastOwn, isDownload: isDownload, request, of: session, failure: failure, refused: refused)
        let task = transfer.makeTask()
        state.tasks[transfer.number] = task
        return task
    }

    /// A task that fails when it is resumed.
    func failing(
        _ failure: TransferNews.Ending, _ request: URLRequest, isDownload: Bool, refused: ((any Error) -> Void)? = nil
    ) -> URLSessionTask {
        state.withLock { Self.failing(failure, request, isDownload, of: self, refused: refused, &$0) }
    }

    override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { download(request, Data()) }
    override func downloadTask(with url: URL) -> URLSessionDownloadTask { download(URLRequest(url: url), Data()) }
    override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        if let archive = ResumeArchive.read(resumeData), archive.file == nil {
            return download(archive.request, archive.host)
        }
        return Self.asDownload(unreadable("download", isDownload: true))
    }

    /// A task with invalid resume data.
    private func unreadable(_ kind: String, isDownload: Bool) -> URLSessionTask {
        let failure = TransferNews.Ending(
            error: NSURLErrorCannotDecodeRawData,
            sentence: "these are not resume data of a background session's \(kind)"
        )
        return failing(failure, URLRequest(url: URL(filePath: "/")), isDownload: isDownload)
    }

    private func download(_ request: URLRequest, _ resumeData: Data) -> URLSessionDownloadTask {
        if request.httpBody?.isEmpty == false || request.httpBodyStream != nil {
            let failure = TransferNews.Ending(
                error: NSURLErrorUnsupportedURL,
                sentence: "a download of a background session sends no body; use an upload task with a file")
            return Self.asDownload(failing(failure, request, isDownload: true))
        }
        var wish = TransferWish(request, configuration)
        wish.resumeData = resumeData
        return Self.asDownload(create(request, wish, isDownload: true))
    }

    override func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        upload(request, fileURL.path, Data())
    }

    private func upload(_ request: URLRequest, _ file: String, _ resumeData: Data) -> URLSessionUploadTask {
        var wish = TransferWish(request, configuration)
        (wish.file, wish.resumeData) = (file, resumeData)
        return Self.asUpload(create(request, wish, isDownload: false))
    }

    /// FoundationNetworking has no such method to override.
    func resumedUpload(_ resumeData: Data) -> URLSessionUploadTask {
        if let archive = ResumeArchive.read(resumeData), let file = archive.file {
            return upload(archive.request, file, archive.host)
        }
        return Self.asUpload(unreadable("upload", isDownload: false))
    }

    override func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }
    override func dataTask(with request: URLRequest) -> URLSessionDataTask {
        if let first { return first.dataTask(with: request) }
        complainIfInvalid()
        let number = state.withLock { state in
            state.lastOwn += 1
            return state.lastOwn
        }
        return dataTasks.create(request, number: number, of: self)
    }

    static func asDownload(_ task: URLSessionTask) -> URLSessionDownloadTask {
        guard let task = task as? URLSessionDownloadTask else { fatalError("a download's task is one of downloads") }
        return task
    }
    static func asUpload(_ task: URLSessionTask) -> URLSessionUploadTask {
        guard let task = task as? URLSessionUploadTask else { fatalError("an upload's task is one of uploads") }
        return task
    }

    // MARK: Lists

    private var unfinished: [URLSessionTask] {
        (first ?? self).state.withLock { Array($0.tasks.values) }
            .filter { $0.state == .running || $0.state == .suspended }
            .sorted { $0.taskIdentifier < $1.taskIdentifier } + (first ?? self).dataTasks.all
    }
    override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        delegateQueue.addOperation { [self] in completionHandler(unfinished) }
    }
    override func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
    ) {
        delegateQueue.addOperation { [self] in
            let tasks = unfinished
            completionHandler(
                tasks.compactMap { $0 as? BackgroundDataTask }, tasks.compactMap { $0 as? URLSessionUploadTask },
                tasks.compactMap { $0 as? URLSessionDownloadTask }
            )
        }
    }

    // MARK: The end

    override func finishTasksAndInvalidate() { invalidate(cancelling: false) }
    override func invalidateAndCancel() { invalidate(cancelling: true) }

    private func invalidate(cancelling: Bool) {
        let tasks = state.withLock { state in
            state.isInvalid = true
            return Array(state.tasks.values)
        }
        if cancelling { for task in tasks + dataTasks.all { task.cancel() } }
        endIfDone()
    }

    /// Calls `didBecomeInvalidWithError` when all events were delivered.
    func endIfDone() {
        let (isOver, link) = state.withLock { state -> (Bool, SessionLink?) in
            guard state.isInvalid, !state.isOver, state.tasks.isEmpty, state.events.isEmpty, dataTasks.all.isEmpty,
                !SessionHandling.isAwaited(name)
            else { return (false, nil) }
            state.isOver = true
            defer { state.link = nil }
            return (true, state.link)
        }
        guard isOver else { return }
        dataTasks.end()
        if first == nil {
            SessionHandling.closed(name)
            link?.close()
            _ = Self.live.withLock { [name] in $0.removeValue(forKey: name) }
        }
        super.finishTasksAndInvalidate()
    }

    // MARK: What there is not

    typealias DataDone = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    typealias FileDone = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        refusedUpload(.data, request)
    }
    override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        refusedUpload(.stream, request)
    }
    override func dataTask(with request: URLRequest, completionHandler: @escaping DataDone) -> URLSessionDataTask {
        refusedUpload(.closure, request) { completionHandler(nil, nil, $0) }
    }
    override func dataTask(with url: URL, completionHandler: @escaping DataDone) -> URLSessionDataTask {
        refusedUpload(.closure, URLRequest(url: url)) { completionHandler(nil, nil, $0) }
    }
    override func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataDone
    ) -> URLSessionUploadTask { refusedUpload(.closure, request) { completionHandler(nil, nil, $0) } }
    override func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataDone
    ) -> URLSessionUploadTask { refusedUpload(.closure, request) { completionHandler(nil, nil, $0) } }
    override func downloadTask(
        with request: URLRequest, completionHandler: @escaping FileDone
    ) -> URLSessionDownloadTask { refusedDownload(request, completionHandler) }
    override func downloadTask(with url: URL, completionHandler: @escaping FileDone) -> URLSessionDownloadTask {
        refusedDownload(URLRequest(url: url), completionHandler)
    }
    override func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping FileDone
    ) -> URLSessionDownloadTask { refusedDownload(URLRequest(url: URL(filePath: "/")), completionHandler) }
    override func webSocketTask(with url: URL) -> URLSessionWebSocketTask { refuseSocket() }
    override func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask { refuseSocket() }
    override func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { refuseSocket() }
}

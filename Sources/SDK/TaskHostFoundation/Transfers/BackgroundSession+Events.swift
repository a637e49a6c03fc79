internal import CTaskHost
internal import TaskHostRuntime

// The host's events on their way to the delegate. Each event is an operation of the delegate's queue, one after another even
// if that queue is concurrent, and is acknowledged when the delegate's method has returned: the next process receives events
// that were not handled when this one died.
extension BackgroundSession {
    /// On the worker's thread.
    func hear(_ news: TransferNews) {
        if state.withLock({ $0.events.add(news) }) { serve() }
    }

    /// A task that the host does not know has failed.
    func fail(_ number: Int, _ ending: TransferNews.Ending) {
        hear(TransferNews(number: number, .completed(ending)))
    }

    private func serve() {
        delegateQueue.addOperation { [self] in
            if let news = state.withLock({ $0.events.take() }) {
                handle(news)
                serve()
            } else {
                endIfDone()
            }
        }
    }

    private var taskDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        delegate as? any FoundationNetworking.URLSessionTaskDelegate
    }
    private var downloadDelegate: (any FoundationNetworking.URLSessionDownloadDelegate)? {
        delegate as? any FoundationNetworking.URLSessionDownloadDelegate
    }

    private func acknowledge(_ sequence: UInt64) {
        if sequence != 0 { link?.acknowledge(sequence) }
    }

    private func handle(_ news: TransferNews) {
        guard news.number != 0 else {
            if case .allTold = news.kind {
                (delegate as? any URLSessionDelegate)?.urlSessionDidFinishEvents(forBackgroundURLSession: self)
                SessionHandling.told(name)
            }
            return acknowledge(news.sequence)
        }
        guard let task = state.withLock({ $0.tasks[news.number] }),
            let transfer = (task as? any BackgroundTask)?.transfer
        else { return acknowledge(news.sequence) }
        switch news.kind {
        case .progress(let counts): progress(counts, task, transfer)
        case .waitsForConnectivity:
            (delegate as? any URLSessionTaskDelegate)?.urlSession(self, taskIsWaitingForConnectivity: task)
        case .resumed(let offset, let total):
            guard let download = task as? URLSessionDownloadTask else { break }
            downloadDelegate?.urlSession(
                self, downloadTask: download, didResumeAtOffset: offset, expectedTotalBytes: total)
        case .response(let reply):
            transfer.take(reply)
            tellResponse(of: task, transfer)
        case .informational(let reply):
            guard let response = transfer.response(reply) else { break }
            (delegate as? any URLSessionTaskDelegate)?.urlSession(
                self, task: task, didReceiveInformationalResponse: response)
        case .delayed: delayed(task, transfer)
        case .challenge(let question): challenge(question, task, transfer)
        case .file(let path):
            // The server's answer is delivered with the end, which follows.
            transfer[\.file] = (path, news.sequence)
            return
        case .completed(let ending): end(ending, task, transfer)
        case .resumeData(let data): answerResumeData(data, transfer)
        case .allTold, .unknown: break
        }
        acknowledge(news.sequence)
        if case .completed = news.kind {
            _ = state.withLock { $0.tasks.removeValue(forKey: news.number) }
        }
    }

    private func progress(_ counts: TransferNews.Counts, _ task: URLSessionTask, _ transfer: Transfer) {
        let (received, sent) = (transfer[\.received], transfer[\.sent])
        transfer.move(counts)
        if let download = task as? URLSessionDownloadTask {
            downloadDelegate?.urlSession(
                self, downloadTask: download, didWriteData: max(0, counts.received - received),
                totalBytesWritten: counts.received, totalBytesExpectedToWrite: counts.expectedReceive)
        } else {
            taskDelegate?.urlSession(
                self, task: task, didSendBodyData: max(0, counts.sent - sent), totalBytesSent: counts.sent,
                totalBytesExpectedToSend: counts.expectedSend)
        }
    }

    private func tellResponse(of task: URLSessionTask, _ transfer: Transfer) {
        guard let upload = task as? URLSessionUploadTask, let response = transfer[\.response],
            !transfer[\.toldResponse]
        else { return }
        transfer[\.toldResponse] = true
        let delegate = delegate as? any FoundationNetworking.URLSessionDataDelegate
        delegate?.urlSession(self, dataTask: upload, didReceive: response) { disposition in
            if disposition == .cancel { upload.cancel() }
        }
    }

    private func answerResumeData(_ data: Data, _ transfer: Transfer) {
        let done = transfer[\.resumeData]
        transfer[\.resumeData] = nil
        done?(transfer.archive(data))
    }

    private func end(_ ending: TransferNews.Ending, _ task: URLSessionTask, _ transfer: Transfer) {
        if ending.error == nil { complete(task.progress, transfer.isDownload ? ending.received : ending.sent) }
        transfer.take(ending.reply)
        transfer.keepCookies(of: ending.reply)
        if let file = transfer[\.file] {
            transfer[\.file] = nil
            let place = transfer.isDownload ? DeliveredFile.place(file.path) : URL(filePath: file.path)
            deliver(place, task, transfer)
            // It was the application's until its method returned.
            try? FileManager.default.removeItem(at: place)
            acknowledge(file.sequence)
        }
        transfer.end(ending)
        answerResumeData(Data(), transfer)
        if let error = transfer[\.error] { transfer.refused?(error) }
        taskDelegate?.urlSession(self, task: task, didCompleteWithError: transfer[\.error])
    }

    /// A transfer that has succeeded is complete, whether or not its size was known.
    private func complete(_ progress: Progress, _ bytes: Int64) {
        progress.totalUnitCount = max(1, bytes)
        progress.completedUnitCount = max(1, bytes)
    }

    private func deliver(_ file: URL, _ task: URLSessionTask, _ transfer: Transfer) {
        if let download = task as? URLSessionDownloadTask {
            downloadDelegate?.urlSession(self, downloadTask: download, didFinishDownloadingTo: file)
        } else if let upload = task as? URLSessionUploadTask {
            tellResponse(of: task, transfer)
            guard let data = try? Data(contentsOf: file), !data.isEmpty else { return }
            let delegate = delegate as? any FoundationNetworking.URLSessionDataDelegate
            delegate?.urlSession(self, dataTask: upload, didReceive: data)
        }
    }

    // MARK: Questions

    private func delayed(_ task: URLSessionTask, _ transfer: Transfer) {
        let (number, isDownload, link, configuration) = (transfer.number, transfer.isDownload, link, configuration)
        // Delegates of other protocols, whose default never answers, are not called.
        guard let delegate = delegate as? any URLSessionTaskDelegate else {
            return link?.answer(number, TASKHOST_ANSWER_UNASKED) ?? ()
        }
        let answer = OneAnswer("willBeginDelayedRequest")
        delegate.urlSession(self, task: task, willBeginDelayedRequest: transfer.request) { disposition, request in
            guard answer.isFirst() else { return }
            switch disposition {
            case .cancel: task.cancel()
            case .useNewRequest:
                let wish = request.map { TransferWish($0, configuration) }
                link?.answer(number, TASKHOST_ANSWER_PROCEED, wish: wish, isDownload: isDownload)
            case .continueLoading:
                let isDefault = request?.url == DelayedRequests.unasked.url
                link?.answer(number, isDefault ? TASKHOST_ANSWER_UNASKED : TASKHOST_ANSWER_PROCEED)
            }
        }
    }

    private func challenge(_ question: TransferNews.Question, _ task: URLSessionTask, _ transfer: Transfer) {
        let challenge = URLAuthenticationChallenge(
            protectionSpace: question.space, proposedCredential: nil, previousFailureCount: question.failures,
            failureResponse: transfer[\.response], error: nil, sender: NoSender())
        let (number, link, once) = (transfer.number, link, OneAnswer("didReceive challenge"))
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            disposition, credential in
            guard once.isFirst() else { return }
            switch disposition {
            case .useCredential:
                guard let user = credential?.user, let password = credential?.password else {
                    link?.answer(number, TASKHOST_ANSWER_USE_DEFAULT)
                    return
                }
                link?.answer(number, TASKHOST_ANSWER_CREDENTIAL, user: user, password: password)
            case .performDefaultHandling: link?.answer(number, TASKHOST_ANSWER_USE_DEFAULT)
            case .rejectProtectionSpace: link?.answer(number, TASKHOST_ANSWER_REJECT_SPACE)
            case .cancelAuthenticationChallenge: link?.answer(number, TASKHOST_ANSWER_CANCEL)
            }
        }
        if question.isOfSession, let delegate {
            delegate.urlSession(self, didReceive: challenge, completionHandler: answer)
        } else if let taskDelegate {
            taskDelegate.urlSession(self, task: task, didReceive: challenge, completionHandler: answer)
        } else {
            answer(.performDefaultHandling, nil)
        }
    }
}

/// A completion handler counts once; a second call is noted.
private final class OneAnswer: @unchecked Sendable {  // guarded by `lock`
    private let name: String
    private var isUsed = false
    private let lock = NSLock()

    init(_ name: String) { self.name = name }

    func isFirst() -> Bool {
        let isFirst = lock.withLock {
            defer { isUsed = true }
            return !isUsed
        }
        if !isFirst {
            Diagnostic.write(
                "the completion handler of \(name) was called more than once; the first answer counts; call it once")
        }
        return isFirst
    }
}

extension TransferNews.Question {
    /// Asked of the session's delegate, not of the task's.
    fileprivate var isOfSession: Bool {
        method == TASKHOST_CHALLENGE_CLIENT_CERTIFICATE || method == TASKHOST_CHALLENGE_SERVER_TRUST
    }

    fileprivate var space: URLProtectionSpace {
        // Some constants are unavailable on Linux; there is none for bearer tokens anywhere.
        let name =
            switch method {
            case TASKHOST_CHALLENGE_BASIC: NSURLAuthenticationMethodHTTPBasic
            case TASKHOST_CHALLENGE_DIGEST: NSURLAuthenticationMethodHTTPDigest
            case TASKHOST_CHALLENGE_BEARER: "NSURLAuthenticationMethodHTTPBearer"
            case TASKHOST_CHALLENGE_CLIENT_CERTIFICATE: "NSURLAuthenticationMethodClientCertificate"
            case TASKHOST_CHALLENGE_SERVER_TRUST: "NSURLAuthenticationMethodServerTrust"
            default: NSURLAuthenticationMethodDefault
            }
        return URLProtectionSpace(
            host: host, port: port, protocol: isSecure ? "https" : "http", realm: realm.isEmpty ? nil : realm,
            authenticationMethod: name)
    }
}

/// Challenges are answered by their completion handlers.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

internal import TaskHostRuntime

/// Features that a background session does not have, in the framework's words.
enum SessionRefusal: String {
    case closure = "Completion handler blocks are not supported in background sessions. Use a delegate instead."
    case data = "Upload tasks from NSData are not supported in background sessions."
    case stream = "Upload tasks from a stream are not supported in background sessions."
    case socket = "WebSocket tasks are not supported in background sessions."

    var advice: String {
        switch self {
        case .closure: "pass a delegate to the session, and make the task without a closure"
        case .data, .stream: "write what is sent into a file, and use uploadTask(with:fromFile:)"
        case .socket: "use a session of the default configuration"
        }
    }
}

extension BackgroundSession {
    /// Reports a misuse; in strict mode it never returns.
    func refused(_ refusal: SessionRefusal) -> URLError {
        Misuse.found(refusal.rawValue, advice: refusal.advice, exception: "NSGenericException")
        return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: refusal.rawValue])
    }

    // In strict mode these never return, in lenient mode the task fails when it is resumed.

    func refusedUpload(
        _ refusal: SessionRefusal, _ request: URLRequest, _ done: ((any Error) -> Void)? = nil
    ) -> URLSessionUploadTask {
        Self.asUpload(failing(refused(refusal), request, isDownload: false, done))
    }

    func refusedDownload(_ request: URLRequest, _ done: @escaping FileDone) -> URLSessionDownloadTask {
        Self.asDownload(failing(refused(.closure), request, isDownload: true) { done(nil, nil, $0) })
    }

    /// There is no socket to return in lenient mode.
    func refuseSocket() -> Never {
        Misuse.trap(
            SessionRefusal.socket.rawValue, advice: SessionRefusal.socket.advice, exception: "NSGenericException")
    }

    private func failing(
        _ error: URLError, _ request: URLRequest, isDownload: Bool, _ done: ((any Error) -> Void)?
    ) -> URLSessionTask {
        let failure = TransferNews.Ending(error: error.errorCode, sentence: error.localizedDescription)
        return failing(failure, request, isDownload: isDownload, refused: done)
    }
}

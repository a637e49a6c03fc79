/// Where an error of a cancelled download of a background session has the data to resume it with.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// Where an error of a cancelled upload of a background session has the data to resume it with.
public let NSURLSessionUploadTaskResumeData = "NSURLSessionUploadTaskResumeData"

extension URLSession {
    /// An upload that continues where another one was cancelled, with the same request and file.
    ///
    /// - Parameter resumeData: of a background session's upload, from `cancel(byProducingResumeData:)` or an error. With others, and
    ///   in sessions of other configurations, which give none, the task fails when it is resumed.
    public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        if let session = self as? BackgroundSession { return session.resumedUpload(resumeData) }
        return uploadTask(with: URLRequest(url: URL(filePath: "/")), from: Data())
    }

    /// All tasks that are not done.
    public var allTasks: [URLSessionTask] {
        get async { await withCheckedContinuation { done in getAllTasks { done.resume(returning: $0) } } }
    }

    /// The tasks that are not done, by kind.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { done in
                getTasksWithCompletionHandler { done.resume(returning: ($0, $1, $2)) }
            }
        }
    }
}

extension URLSessionDownloadTask {
    /// Cancels the download. nil: nothing can resume it.
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { done in cancel { done.resume(returning: $0) } }
    }
}

extension URLSessionUploadTask {
    /// Cancels the upload.
    ///
    /// - Parameter completionHandler: called with what resumes it; with nil where the server takes no part of an upload, and in
    ///   sessions other than background ones.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        if let task = self as? BackgroundUploadTask { return task.transfer.cancel(completionHandler) }
        cancel()
        completionHandler(nil)
    }

    /// Cancels the upload. nil: nothing can resume it.
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { done in cancel { done.resume(returning: $0) } }
    }
}

extension URLError {
    /// Why a background transfer was cancelled.
    public enum BackgroundTaskCancelledReason: Int, Sendable {
        /// The user quit the application.
        case userForceQuitApplication = 0
        /// The user turned off background updates.
        case backgroundUpdatesDisabled = 1
        /// The system had not enough left.
        case insufficientSystemResources = 2
    }

    /// Why a background transfer was cancelled; nil for any other error.
    public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
        (userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int).flatMap(BackgroundTaskCancelledReason.init)
    }

    /// What to resume a cancelled download with.
    public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

    /// What to resume a cancelled upload with.
    public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }
}

/// Where an error of a cancelled download of a background session has the data to resume it with.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

extension URLSession {
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

extension URLError {
    /// Why a background transfer was cancelled.
    public enum BackgroundTaskCancelledReason: Int, Sendable {
        /// A person ended the application.
        case userForceQuitApplication = 0
        /// A person forbade background updates.
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
}

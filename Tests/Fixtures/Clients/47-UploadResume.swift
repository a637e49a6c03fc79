import Foundation

/// An upload that a user pauses and resumes, as since iOS 17, and that counts what its tasks took.
final class Uploader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var kept: Data?

    func pause(_ task: URLSessionUploadTask) {
        task.cancel { [self] data in lock.withLock { kept = data } }
    }

    func pauseLater(_ task: URLSessionUploadTask) async {
        let data = await task.cancelByProducingResumeData()
        lock.withLock { kept = data }
    }

    func goOn(in session: URLSession) -> URLSessionUploadTask? {
        lock.withLock { kept }.map { session.uploadTask(withResumeData: $0) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error as? URLError else { return }
        let kept = (error as NSError).userInfo[NSURLSessionUploadTaskResumeData] as? Data
        if let data = error.uploadTaskResumeData ?? kept { session.uploadTask(withResumeData: data).resume() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        print(metrics.taskInterval.duration, metrics.redirectCount)
        for transaction in metrics.transactionMetrics {
            print(transaction.networkProtocolName ?? "", transaction.fetchStartDate ?? .distantPast)
        }
    }
}

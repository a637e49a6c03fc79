import Foundation

/// Delegates in pieces, as frameworks have them: protocols that refine, casts, compositions, mocks.
protocol DownloadListener: URLSessionDownloadDelegate {
    func done(_ identifier: Int)
}

final class Listener: NSObject, DownloadListener {
    func done(_ identifier: Int) {}
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        done(downloadTask.taskIdentifier)
    }
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
}

final class Uploads: NSObject, URLSessionTaskDelegate {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

class MockSession: URLSession, @unchecked Sendable {
    var made: [URLRequest] = []
    override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        made.append(request)
        return super.downloadTask(with: request)
    }
}

func sessions() -> [URLSession] {
    let configuration = URLSessionConfiguration.background(withIdentifier: "org.example.delegates")
    configuration.isDiscretionary = true
    let delegate: any URLSessionDelegate & URLSessionTaskDelegate = Uploads()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let copied: URLSession = .init(configuration: session.configuration, delegate: Listener(), delegateQueue: nil)
    (session.delegate as? URLSessionDelegate)?.urlSessionDidFinishEvents(forBackgroundURLSession: session)
    return [session, copied, MockSession(configuration: .default), URLSession(configuration: .default)]
}

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A download manager of a package for several platforms, which imports FoundationNetworking itself.
final class PortableDownloads: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, @unchecked Sendable {
    private let make: (URLSessionConfiguration) -> URLSession = URLSession.init
    private var session: URLSession!
    private var finished: (() -> Void)?

    override init() {
        super.init()
        let configuration = Foundation.URLSessionConfiguration.background(withIdentifier: "org.example.portable")
        configuration.sessionSendsLaunchEvents = true
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
        _ = make(.ephemeral)
    }

    func page(_ url: URL) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }

    func resume(_ data: Data) { session.downloadTask(withResumeData: data).resume() }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {}
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error as? URLError, error.code == .cancelled else { return }
        if let data = error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data { resume(data) }
    }
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) { completionHandler(.continueLoading, nil) }
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.performDefaultHandling, nil) }
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { finished?() }
}

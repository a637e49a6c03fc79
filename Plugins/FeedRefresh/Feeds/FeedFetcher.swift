package import Foundation
import FoundationNetworking
import Synchronization

/// Asks servers for feeds, with what they said last time.
package final class FeedFetcher: Sendable {
    package enum Tristate: Sendable, Equatable {
        case unchanged
        /// `address` is where it was found in the end.
        case document(Data, address: URL, memory: FeedDatabase.Memory)
    }

    private let session: URLSession
    private let transfers: Transfers
    private let timeout: Int

    /// - Parameters:
    ///   - timeout: seconds that one feed may take in all.
    ///   - maximumBytes: of one document, decompressed.
    package init(timeout: Int, maximumBytes: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 2
        transfers = Transfers(maximumBytes: maximumBytes)
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
        self.timeout = timeout
    }

    /// Lets the session's threads and connections go.
    package func close() { session.invalidateAndCancel() }

    /// - Throws: `.stopped` when the Swift task was cancelled, else why there is no document.
    package func fetch(_ address: URL, _ memory: FeedDatabase.Memory) async throws(FeedProblem) -> Tristate {
        var request = URLRequest(url: address)
        // The session's own limit is for each pause; the timer below counts the whole, and comes first.
        request.timeoutInterval = TimeInterval(2 * timeout)
        request.setValue("taskhost-feed-refresh/1", forHTTPHeaderField: "User-Agent")
        request.setValue(
            "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5", forHTTPHeaderField: "Accept")
        if let etag = memory.etag { request.setValue(etag, forHTTPHeaderField: "If-None-Match") }
        if let date = memory.lastModified { request.setValue(date, forHTTPHeaderField: "If-Modified-Since") }
        let task = session.dataTask(with: request)
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [transfers, timeout] in transfers.end(task, .tooSlow(seconds: timeout)) }
        timer.schedule(deadline: .now() + .seconds(timeout))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfers.begin(task) { continuation.resume(returning: $0) }
                timer.activate()
                task.resume()
                // A cancellation before this point found no transfer.
                if Task.isCancelled { transfers.end(task, .stopped) }
            }
        } onCancel: {
            transfers.end(task, .stopped)
        }
        timer.cancel()
        return try Self.answer(try result.get())
    }

    private static func answer(_ result: Transfers.Result) throws(FeedProblem) -> Tristate {
        guard let response = result.response as? HTTPURLResponse else {
            throw .unreachable("the server did not answer")
        }
        switch response.statusCode {
        case 304: return .unchanged
        case 200:
            let memory = FeedDatabase.Memory(
                etag: header("ETag", response), lastModified: header("Last-Modified", response))
            return .document(result.data, address: response.url ?? result.address, memory: memory)
        default: throw .status(response.statusCode)
        }
    }

    /// A header that is short enough to be sent back.
    private static func header(_ name: String, _ response: HTTPURLResponse) -> String? {
        response.value(forHTTPHeaderField: name).flatMap { $0.utf8.count <= 1024 ? $0 : nil }
    }
}

/// The transfers of one session, by their tasks.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
    struct Result: @unchecked Sendable {  // responses do not change
        var data = Data()
        var response: URLResponse?
        var address: URL
    }
    typealias Done = @Sendable (Swift.Result<Result, FeedProblem>) -> Void

    private struct Transfer {
        var result: Result
        var problem: FeedProblem?
        let done: Done
    }
    private let open = Mutex<[Int: Transfer]>([:])
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    func begin(_ task: URLSessionTask, done: @escaping Done) {
        guard let address = task.originalRequest?.url else { return done(.failure(.badAddress(""))) }
        open.withLock { $0[task.taskIdentifier] = Transfer(result: Result(address: address), done: done) }
    }

    /// Stops a transfer; its end is reported with this problem.
    func end(_ task: URLSessionTask, _ problem: FeedProblem) {
        open.withLock { open in
            if open[task.taskIdentifier]?.problem == nil { open[task.taskIdentifier]?.problem = problem }
        }
        task.cancel()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        open.withLock { $0[dataTask.taskIdentifier]?.result.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooMuch = open.withLock { open in
            guard let kept = open[dataTask.taskIdentifier]?.result.data.count else { return false }
            guard kept + data.count <= maximumBytes else { return true }
            open[dataTask.taskIdentifier]?.result.data.append(data)
            return false
        }
        if isTooMuch { end(dataTask, .tooLarge(limit: maximumBytes)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let problem = transfer.problem {
            transfer.done(.failure(problem))
        } else if let error {
            transfer.done(.failure(.unreachable(error.localizedDescription)))
        } else {
            transfer.done(.success(transfer.result))
        }
    }
}

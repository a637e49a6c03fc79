import Foundation

actor Downloader: NSObject, URLSessionDownloadDelegate {
    enum Failure: Error { case noFile }
    private var waiting: [Int: CheckedContinuation<URL, any Error>] = [:]
    private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
    private(set) var finished = 0

    func download(_ url: URL) async throws -> URL {
        let task = session.downloadTask(with: url)
        return try await withCheckedThrowingContinuation { continuation in
            waiting[task.taskIdentifier] = continuation
            task.resume()
        }
    }

    private func end(_ identifier: Int, _ result: Result<URL, any Error>) {
        finished += 1
        waiting.removeValue(forKey: identifier)?.resume(with: result)
    }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let identifier = downloadTask.taskIdentifier
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(location.lastPathComponent)
        let result = Result { () throws -> URL in
            try FileManager.default.moveItem(at: location, to: place)
            return place
        }
        Task { await self.end(identifier, result) }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        if let error { Task { await self.end(identifier, .failure(error)) } }
    }
}

actor Cache<Value: Sendable>: NSObject {
    private var values: [String: Value] = [:]
    func value(for key: String) -> Value? { values[key] }
    func set(_ value: Value, for key: String) { values[key] = value }
}

func load(_ urls: [URL]) async -> Int {
    let downloader = Downloader()
    let cache = Cache<URL>()
    for url in urls {
        if let file = try? await downloader.download(url) { await cache.set(file, for: url.absoluteString) }
    }
    return await downloader.finished
}

import UIKit

/// The session of the demonstration and its delegate.
// `lock` is around what its threads share.
final class Downloads: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    static let identifier = "org.taskhost.examples.transfers.session"
    private let lock = NSLock()
    private var made: URLSession?
    /// One for each session whose events are being handled.
    private var handlers: [String: () -> Void] = [:]
    /// Whose progress was told in this process.
    private var moving: Set<Int> = []
    private let log = URL.documentsDirectory.appending(path: "log.txt")

    /// Prints a line, and keeps it: outside of runs nobody sees what is printed.
    func note(_ line: String) {
        print(line)
        lock.withLock {
            if !FileManager.default.fileExists(atPath: log.path) { try? Data().write(to: log) }
            guard let file = try? FileHandle(forWritingTo: log) else { return }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: Data((line + "\n").utf8))
            try? file.close()
        }
    }

    private var session: URLSession {
        lock.withLock {
            if let made { return made }
            let configuration = URLSessionConfiguration.background(withIdentifier: Self.identifier)
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            made = session
            return session
        }
    }

    func start(_ url: URL) {
        let task = session.downloadTask(with: url)
        task.taskDescription = url.lastPathComponent
        task.resume()
        note("started \(url.lastPathComponent)")
    }

    func show() {
        session.getAllTasks { [self] tasks in
            note("getAllTasks \(tasks.compactMap(\.taskDescription).sorted().joined(separator: " "))")
        }
    }

    func handle(_ identifier: String, _ completionHandler: @escaping () -> Void) {
        lock.withLock { handlers[identifier] = completionHandler }
        _ = session
    }

    private func name(_ task: URLSessionTask) -> String { task.taskDescription ?? "\(task.taskIdentifier)" }

    // MARK: URLSessionDownloadDelegate

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let isFirst = lock.withLock { moving.insert(downloadTask.taskIdentifier).inserted }
        if isFirst { note("didWriteData \(name(downloadTask))") }
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        note("didFinishDownloadingTo \(name(downloadTask))")
        let target = URL.documentsDirectory.appending(path: name(downloadTask))
        try? FileManager.default.removeItem(at: target)
        do {
            try FileManager.default.moveItem(at: location, to: target)
        } catch {
            note("not kept: \(error)")
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { note("didResumeAtOffset \(name(downloadTask))") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error as NSError? else { return note("didCompleteWithError \(name(task)) nil") }
        let reason = error.userInfo[NSURLErrorBackgroundTaskCancelledReasonKey].map { " reason \($0)" } ?? ""
        note("didCompleteWithError \(name(task)) \(error.domain) \(error.code)\(reason)")
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        note("urlSessionDidFinishEvents")
        guard let identifier = session.configuration.identifier else { return }
        DispatchQueue.main.async { [self] in
            let handler = lock.withLock { handlers.removeValue(forKey: identifier) }
            handler?()
        }
    }
}

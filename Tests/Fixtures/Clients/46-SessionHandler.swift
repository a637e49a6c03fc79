import Foundation
import UIKit

/// Keeps a completion handler for each of its sessions, in the way of tutorials.
@MainActor
final class SessionStore {
    static let shared = SessionStore()
    var handlers: [String: () -> Void] = [:]

    func finish(_ identifier: String) { handlers.removeValue(forKey: identifier)?() }
}

final class ImageSession: NSObject, URLSessionDownloadDelegate, Sendable {
    private let identifier = "org.example.images"

    func start(_ url: URL) {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: OperationQueue())
        let task = session.downloadTask(with: url)
        task.taskDescription = url.lastPathComponent
        task.countOfBytesClientExpectsToSend = 200
        task.priority = URLSessionTask.highPriority
        task.resume()
        session.getAllTasks { tasks in print(tasks.compactMap(\.taskDescription)) }
        session.getTasksWithCompletionHandler { _, uploads, downloads in print(uploads.count + downloads.count) }
    }

    func pause(_ task: URLSessionDownloadTask) async -> Data? { await task.cancelByProducingResumeData() }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        let target = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        try? FileManager.default.moveItem(at: location, to: target.appendingPathComponent("image"))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { print(Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)) }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        guard let identifier = session.configuration.identifier else { return }
        Task { @MainActor in SessionStore.shared.finish(identifier) }
    }
}

@main
final class ImageDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) { SessionStore.shared.handlers[identifier] = completionHandler }
}

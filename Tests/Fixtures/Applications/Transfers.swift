import Foundation
import UIKit

/// Has a background session and prints every call. It does what the words of a remote notification say.
final class Delegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, @unchecked Sendable {
    private let name: String
    private let isOnMain: Bool
    init(_ name: String, isOnMain: Bool = false) {
        self.name = name
        self.isOnMain = isOnMain
    }

    func say(_ words: Any...) {
        let place = Thread.isMainThread == isOnMain ? "" : " on a wrong thread"
        print(name, words.map { "\($0)" }.joined(separator: " ") + place)
    }

    /// What waits for a line of the host sees that this was called.
    static func mark(_ word: String) {
        let activity = ProcessInfo.processInfo.beginActivity(options: .background, reason: "heard \(word)")
        ProcessInfo.processInfo.endActivity(activity)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        say("didWriteData", downloadTask.taskIdentifier, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
        // The first is slow: of those that come meanwhile one is left.
        guard bytesWritten == totalBytesWritten else { return }
        Self.mark("didWriteData")
        usleep(300_000)
    }
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        let contents = (try? String(contentsOf: location, encoding: .utf8)) ?? "nothing"
        let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
        say("didFinishDownloadingTo", downloadTask.taskIdentifier, contents, status)
        file = location
    }
    private var file: URL?
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        say("didResumeAtOffset", downloadTask.taskIdentifier, fileOffset, expectedTotalBytes)
        Self.mark("didResumeAtOffset")
    }
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { say("didSendBodyData", task.taskIdentifier, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        say("didReceive", dataTask.taskIdentifier, String(decoding: data, as: UTF8.self))
    }
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let response = response as? HTTPURLResponse
        say("didReceive response", dataTask.taskIdentifier, response?.statusCode ?? 0)
        completionHandler(.allow)
    }
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        say("taskIsWaitingForConnectivity", task.taskIdentifier)
    }
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        say("willBeginDelayedRequest", task.taskIdentifier, request.url?.path ?? "")
        var other = request
        other.url = URL(string: "http://example.com/other")
        completionHandler(.useNewRequest, other)
        completionHandler(.cancel, nil)
    }
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        say("didReceive challenge", task.taskIdentifier, challenge.protectionSpace.authenticationMethod)
        completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
    }
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        say("didReceive challenge of the session", challenge.protectionSpace.authenticationMethod)
        completionHandler(.performDefaultHandling, nil)
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let upload = (error as? URLError)?.uploadTaskResumeData
        let data = (error as? URLError)?.downloadTaskResumeData ?? upload
        let error = error as NSError?
        let reason = error?.userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        say(
            "didCompleteWithError", task.taskIdentifier, error.map { "\($0.domain) \($0.code)" } ?? "nil",
            reason.map { "reason \($0)" } ?? "no reason", data == nil ? "no data" : "data", "status \(status)",
            task.state == .completed ? "completed" : "not completed")
        if let file { say("the file is", FileManager.default.fileExists(atPath: file.path) ? "there" : "gone") }
        if let data {
            let next =
                upload == nil ? session.downloadTask(withResumeData: data) : session.uploadTask(withResumeData: data)
            next.resume()
        }
        Self.mark("didCompleteWithError")
    }
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        say("didBecomeInvalidWithError", error == nil)
        Self.mark("didBecomeInvalid")
    }
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        say("urlSessionDidFinishEvents", session.configuration.identifier ?? "")
        DispatchQueue.main.async { MainActor.assumeIsolated { AppDelegate.finished?() } }
    }
}

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    static var finished: (() -> Void)?
    private var session: URLSession?
    private var task: URLSessionTask?

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        print("handleEvents", identifier, Thread.isMainThread)
        make(identifier)
        usleep(100_000)
        print("handleEvents returns")
        Self.finished = completionHandler
    }

    private func make(_ identifier: String, as name: String = "delegate", queue: OperationQueue? = nil) {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.isDiscretionary = true
        configuration.timeoutIntervalForResource = 3600
        configuration.httpAdditionalHeaders = ["X-Session": "yes"]
        let delegate = Delegate(name, isOnMain: queue != nil)
        let made = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        if session == nil { session = made }
        print("made", type(of: made), made.configuration.identifier ?? "", made.configuration.isDiscretionary)
        if name == "twin" { made.downloadTask(with: URL(string: "http://example.com/twin")!).resume() }
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        perform(userInfo["do"] as? String ?? "", userInfo["with"] as? String ?? "")
        completionHandler(.noData)
    }

    private func perform(_ command: String, _ value: String) {
        let url = URL(string: "http://example.com/\(value)")!
        switch command {
        case "make": make(value)
        case "make-main": make(value, queue: .main)
        case "twin": make(value, as: "twin")
        case "download":
            task = session?.downloadTask(with: url)
            task?.taskDescription = value
            task?.priority = URLSessionTask.highPriority
            task?.countOfBytesClientExpectsToReceive = 5
            (task as (any Dated)?)?.setDate()
            task?.resume()
            task?.suspend()
            task?.resume()
            task?.resume()
            print("task", task?.taskIdentifier ?? 0, task?.originalRequest?.url?.path ?? "", task?.state == .running)
        case "upload":
            task = session?.uploadTask(with: URLRequest(url: url), fromFile: URL(filePath: "/tmp/photo"))
            task?.resume()
        case "list":
            session?.getAllTasks { tasks in
                print(
                    "tasks", tasks.map { "\($0.taskIdentifier) \($0.taskDescription ?? "") \($0.countOfBytesReceived)" }
                )
                Delegate.mark("tasks")
            }
        case "cancel": task?.cancel()
        case "resumable-upload":
            (task as? URLSessionUploadTask)?.cancel { data in print("resume data", data == nil ? "none" : "some") }
        case "foreign-upload": _ = session?.uploadTask(withResumeData: Data([1, 2, 3])).resume()
        case "resumable":
            (task as? URLSessionDownloadTask)?.cancel { data in print("resume data", data == nil ? "none" : "some") }
        case "closure": session?.dataTask(with: url) { _, _, error in print("closure", error == nil) }.resume()
        case "data": session?.uploadTask(with: URLRequest(url: url), from: Data()).resume()
        case "foreign": _ = session?.downloadTask(withResumeData: Data([1, 2, 3])).resume()
        case "finish": session?.finishTasksAndInvalidate()
        case "invalidate": session?.invalidateAndCancel()
        case "forget": session = nil
        default: print("no such command", command)
        }
    }
}

/// What still warns of a date.
protocol Dated { func setDate() }
extension URLSessionTask: Dated {
    @available(*, deprecated)
    func setDate() { earliestBeginDate = Date(timeIntervalSince1970: 2) }
}

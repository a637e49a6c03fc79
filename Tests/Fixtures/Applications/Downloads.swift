import Network
import UIKit

/// Does with background sessions what common code does: moves a finished file to the temporary directory under its own name, fetches
/// data, uploads, watches the network, and asks for a download later whose delegate has no `willBeginDelayedRequest`. It is told what to do by a notification.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, URLSessionDownloadDelegate, URLSessionDataDelegate {
    lazy var session = URLSession(
        configuration: .background(withIdentifier: "downloads"), delegate: self, delegateQueue: .main)
    var isGone = false
    let monitor = NWPathMonitor()

    nonisolated static func say(_ line: String) {
        let log = URL.documentsDirectory.appending(path: "log.txt").path
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        _ = (line + "\n").withCString { write(file, $0, strlen($0)) }
        close(file)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler done: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let url = URL(string: userInfo["url"] as? String ?? "")!
        switch userInfo["do"] as? String {
        case "download": session.downloadTask(with: url).resume()
        case "data":
            let task = session.dataTask(with: url)
            task.resume()
            session.getAllTasks { Self.say("tasks \($0.count) \($0.first === task)") }
        case "upload":
            let file = URL.documentsDirectory.appending(path: "sent")
            try? Data(repeating: 1, count: 3000).write(to: file)
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            session.uploadTask(with: request, fromFile: file).resume()
        case "paths":
            monitor.pathUpdateHandler = { Self.say("path \($0.status) \($0.isExpensive)") }
            monitor.start(queue: .main)
        case "nothing": _ = session
        default:
            let task = session.downloadTask(with: url)
            (task as any Dated).set(Date(timeIntervalSinceNow: 2))
            task.resume()
            isGone = true
        }
        done(.newData)
        if isGone { DispatchQueue.main.async { exit(0) } }
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        // It ends before it has opened the session.
        if !UserDefaults.standard.bool(forKey: "came") {
            UserDefaults.standard.set(true, forKey: "came")
            exit(0)
        }
        _ = session
        completionHandler()
    }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let kept = FileManager.default.temporaryDirectory.appending(path: location.lastPathComponent)
        do { try FileManager.default.moveItem(at: location, to: kept) } catch { Self.say("moved: \(error)") }
        DispatchQueue.main.async {
            let size = (try? Data(contentsOf: kept))?.count ?? -1
            Self.say("kept \(size)")
        }
    }

    nonisolated func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        Self.say("informed \(response.statusCode) \(response.value(forHTTPHeaderField: "Location") != nil)")
    }

    nonisolated func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        Self.say("data \(dataTask.taskIdentifier > 0) \(data.count)")
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { Self.say("failed \((error as NSError).code)") }
        Self.say("completed \(error == nil) \((task.response as? HTTPURLResponse)?.statusCode ?? 0)")
    }
}

/// What still warns of a date.
protocol Dated { func set(_ date: Date) }
extension URLSessionTask: Dated {
    @available(*, deprecated)
    func set(_ date: Date) { earliestBeginDate = date }
}

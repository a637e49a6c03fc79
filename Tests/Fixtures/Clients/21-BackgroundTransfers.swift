// Fails in mode 6: stored property '$__lazy_storage_$_session' of 'Sendable'-conforming class 'Downloads' is mutable
import BackgroundTasks
import Foundation
import UIKit

/// Downloads with a background session, as before there were tasks, beside a task that starts them.
final class Downloads: NSObject, URLSessionDownloadDelegate {
    static let shared = Downloads()
    static let identifier = "org.example.reader.downloads"

    private lazy var session: URLSession = {
        let configuration = URLSessionConfiguration.background(withIdentifier: Self.identifier)
        configuration.isDiscretionary = true
        configuration.sessionSendsLaunchEvents = true
        configuration.waitsForConnectivity = true
        configuration.sharedContainerIdentifier = "group.org.example.reader"
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        configuration.networkServiceType = .responsiveData
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }()

    func start(_ page: URL) {
        let download = session.downloadTask(with: page)
        download.earliestBeginDate = Date(timeIntervalSinceNow: 60)
        download.countOfBytesClientExpectsToReceive = 4_096
        download.resume()
    }

    func waiting() async -> Int { await session.allTasks.filter { $0.state == .running }.count }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.org.example")
        else { return }
        try? FileManager.default.moveItem(at: file, to: folder.appending(path: "page"))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error as? URLError else { return }
        if error.backgroundTaskCancelledReason == .userForceQuitApplication { return }
        let kept = (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data
        if let data = error.downloadTaskResumeData ?? kept { session.downloadTask(withResumeData: data).resume() }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        DispatchQueue.main.async {
            (UIApplication.shared.delegate as? ReaderDelegate)?.finished?()
        }
    }
}

final class ReaderDelegate: UIResponder, UIApplicationDelegate {
    var finished: (() -> Void)?

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        if identifier == Downloads.identifier { finished = completionHandler } else { completionHandler() }
    }
}

// The demonstration of the article on the life cycle of background transfers (NSURLSession, iOS 7): one session, several files
// at once, and a line for every callback. Where the article's reader taps, a remote notification names the files.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let downloads = Downloads()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        downloads.note("didFinishLaunching")
        return true
    }

    /// A person looks at it: the session is made again by its identifier, and tells what became of it meanwhile.
    func applicationDidBecomeActive(_ application: UIApplication) { downloads.show() }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        downloads.note("handleEventsForBackgroundURLSession")
        downloads.handle(identifier, completionHandler)
    }

    /// `taskhost notify org.taskhost.examples.transfers --payload '{"urls": ["https://…"]}'`
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let urls = (userInfo["urls"] as? [String] ?? []).compactMap { URL(string: $0) }
        for url in urls { downloads.start(url) }
        completionHandler(urls.isEmpty ? .noData : .newData)
    }
}

import UIKit

enum FetchError: Error { case offline }

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var token: String?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        UIApplication.shared.setMinimumBackgroundFetchInterval(15 * 60)
        if !application.isRegisteredForRemoteNotifications { application.registerForRemoteNotifications() }
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        load { result in
            switch result {
            case .success(let items): completionHandler(items.isEmpty ? .noData : .newData)
            case .failure: completionHandler(.failed)
            }
        }
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let aps = userInfo["aps"] as? [String: AnyObject], aps["content-available"] as? Int == 1 else {
            completionHandler(.noData)
            return
        }
        load { completionHandler((try? $0.get()) == nil ? .failed : .newData) }
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        token = deviceToken.map { String(format: "%02.2hhx", $0) }.joined()
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        print(error.localizedDescription)
    }

    private func load(_ done: (Result<[String], Error>) -> Void) { done(.failure(FetchError.offline)) }
}

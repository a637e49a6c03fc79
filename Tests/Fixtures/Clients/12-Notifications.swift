import OSLog
import UIKit

final class LifecycleObserver {
    private var tokens: [NSObjectProtocol] = []
    private let logger = Logger(subsystem: Bundle.main.bundleIdentifier ?? "app", category: "lifecycle")

    init() {
        let center = NotificationCenter.default
        let names: [Notification.Name] = [
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.willTerminateNotification, UIApplication.didReceiveMemoryWarningNotification,
            UIApplication.backgroundRefreshStatusDidChangeNotification,
        ]
        for name in names {
            let logger = logger
            tokens.append(
                center.addObserver(forName: name, object: nil, queue: .main) { notification in
                    logger.debug("\(notification.name.rawValue, privacy: .public)")
                })
        }
    }

    deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
}

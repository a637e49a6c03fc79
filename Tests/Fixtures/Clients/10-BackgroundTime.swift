import UIKit

final class Uploader {
    private var taskIdentifier: UIBackgroundTaskIdentifier = .invalid

    func begin() {
        taskIdentifier = UIApplication.shared.beginBackgroundTask(withName: "upload") { [weak self] in
            self?.end()
        }
        guard taskIdentifier != .invalid, UIApplication.shared.applicationState != .active else { return }
        print("left: \(UIApplication.shared.backgroundTimeRemaining)")
    }

    func end() {
        guard taskIdentifier != UIBackgroundTaskIdentifier.invalid else { return }
        UIApplication.shared.endBackgroundTask(taskIdentifier)
        taskIdentifier = .invalid
    }

    func beginWithoutHandler() -> Int {
        let first = UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
        let handler: (() -> Void)? = { print("time is up") }
        let second = UIApplication.shared.beginBackgroundTask(expirationHandler: handler)
        let third = UIApplication.shared.beginBackgroundTask { print("time is up") }
        for identifier in [first, second, third] { UIApplication.shared.endBackgroundTask(identifier) }
        return UIBackgroundTaskIdentifier(rawValue: 3).rawValue
    }
}

protocol BackgroundTimeProviding {
    func beginBackgroundTask(withName: String?, expirationHandler: (() -> Void)?) -> UIBackgroundTaskIdentifier
    func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)
    var backgroundTimeRemaining: TimeInterval { get }
}

extension UIApplication: BackgroundTimeProviding {}

import UIKit

/// Begins six stretches of background time, and ends them in each other's expiration handlers.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var stretches: [UIBackgroundTaskIdentifier] = []

    private func end(_ number: Int) { UIApplication.shared.endBackgroundTask(stretches[number]) }

    func applicationDidEnterBackground(_ application: UIApplication) {
        let handlers: [(String?, (() -> Void)?)] = [
            (
                "first",
                {
                    self.end(0)
                    // Ended before its turn: its handler is not called.
                    self.end(1)
                }
            ),
            ("second", {}),
            (
                nil,
                {
                    let inside = application.beginBackgroundTask(withName: "inside") {}
                    application.endBackgroundTask(inside)
                    self.end(2)
                }
            ),
            ("leaked", {}),
            ("helped", {}),
            ("without a handler", nil),
            ("last", { [4, 5, 6].forEach(self.end) }),
        ]
        for (number, (name, handler)) in handlers.enumerated() {
            let wrapped = handler.map { body in
                {
                    print("expired", number, Thread.isMainThread)
                    body()
                    print("returned", number)
                }
            }
            stretches.append(application.beginBackgroundTask(withName: name, expirationHandler: wrapped))
        }
        application.endBackgroundTask(.invalid)
    }
}

import UIKit
import os

/// An application delegate of the old kind: no responder, with its own state and an initializer.
class BaseDelegate: NSObject {
    let made: String
    override init() {
        made = "made"
        super.init()
    }
}

@main
final class AppDelegate: BaseDelegate, UIApplicationDelegate {
    private let numbers = [1, 2, 3]

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print(made, numbers.reduce(0, +), application.delegate === self)
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        print("memory", os_proc_available_memory() / 1_048_576)
    }
}

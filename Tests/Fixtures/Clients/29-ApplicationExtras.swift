import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var startedFor: [UIApplication.LaunchOptionsKey] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let keys: [UIApplication.LaunchOptionsKey] = [
            .bluetoothCentrals, .bluetoothPeripherals, .annotation, .cloudKitShareMetadata, .location,
        ]
        startedFor = keys.filter { launchOptions?[$0] != nil }
        guard UIDevice.current.isMultitaskingSupported else { return false }
        if application.isRegisteredForRemoteNotifications { application.unregisterForRemoteNotifications() }
        if application.supportsMultipleScenes { print("several scenes") }
        let center = NotificationCenter.default
        _ = center.addObserver(forName: UIScene.willConnectNotification, object: nil, queue: .main) { _ in }
        _ = center.addObserver(forName: UIScene.didDisconnectNotification, object: nil, queue: .main) { _ in }
        return true
    }

    func application(
        _ application: UIApplication,
        shouldAllowExtensionPointIdentifier extensionPointIdentifier: UIApplication.ExtensionPointIdentifier
    ) -> Bool {
        extensionPointIdentifier != .keyboard
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        application.ignoreSnapshotOnNextApplicationLaunch()
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(shortcutItem.userInfo?["page"] is String)
    }

    func openSettings() async -> Bool {
        guard let url = URL(string: UIApplication.openNotificationSettingsURLString) else { return false }
        await UIApplication.shared.open(url)
        return await UIApplication.shared.open(url, options: [:])
    }

    func openSettingsLater() {
        guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
        UIApplication.shared.open(url)
        UIApplication.shared.open(url, options: [:], completionHandler: nil)
        UIApplication.shared.open(url) { print("opened \($0)") }
    }

    func responders() -> Int { next == nil ? 0 : 1 }
}

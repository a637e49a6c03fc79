internal import TaskHostRuntime

/// Callbacks for the application's lifecycle, on the main thread. Every method has a default body, so that a delegate
/// implements only those that it needs.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The window of the application.
    var window: UIWindow? { get set }
    /// The application is being launched.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The application has been launched; handlers of tasks are registered here.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The application is in the foreground. With scenes, the scene's delegate is called instead.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The application is about to leave the foreground. With scenes, the scene's delegate is called instead.
    func applicationWillResignActive(_ application: UIApplication)
    /// The application is in the background. Has 5 seconds. With scenes, the scene's delegate is called instead.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// The application is about to enter the foreground. With scenes, the scene's delegate is called instead.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// The process is about to end. Has 5 seconds.
    func applicationWillTerminate(_ application: UIApplication)
    /// Never called: the kernel's memory limit gives no warning.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// Never called.
    func applicationSignificantTimeChange(_ application: UIApplication)
    /// Never called: Linux has no protection classes.
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
    /// Never called: Linux has no protection classes.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
    /// A background fetch. Has 30 seconds until it calls the handler, on any thread.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
    /// A remote notification came, of what `taskhost notify` was given. Has 30 seconds until it calls the handler, on any
    /// thread.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
    /// The same, for delegates that have this one and not the one with a handler.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult
    /// The application has a token.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// The application gets no token.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
    /// Transfers of a background session have ended, or one of them needs an answer; their events follow when this has
    /// returned. Create the session if there is none, and call the handler after `urlSessionDidFinishEvents`, within 30
    /// seconds, or the process is ended.
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
    /// The same, for delegates that have this one and not the one with a handler: to be done when it returns.
    func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async
    /// Never called: nothing opens URLs in a worker.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// Never called: there are no user activities.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    /// Never called: a worker has no quick actions.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// Never called: a worker has no screen.
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask
    /// Never called: Linux has no extensions of other makers.
    func application(
        _ application: UIApplication,
        shouldAllowExtensionPointIdentifier extensionPointIdentifier: UIApplication.ExtensionPointIdentifier
    ) -> Bool
    /// How the application's scene is made. An application delegate that has this method has adopted scenes. Called once in
    /// a process: before its scene is connected, or, where the manifest has no `scene`, when it is launched in the background.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// Never called: scenes are not kept from one process to the next.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

extension UIApplicationDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
    /// Continues.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    /// Continues.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationSignificantTimeChange(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}
    /// Has nothing new.
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }
    /// Asks the form without a handler.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task {
            completionHandler(await self.application(application, didReceiveRemoteNotification: userInfo))
        }
    }
    /// Has nothing new.
    nonisolated(nonsending) public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { .noData }
    /// Does nothing.
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    /// Does nothing.
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}
    /// Calls the form without a handler, which runs to its first suspension before this returns.
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        Task.immediate {
            await self.application(application, handleEventsForBackgroundURLSession: identifier)
            completionHandler()
        }
    }
    /// Done when all events were delivered.
    nonisolated(nonsending) public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    ) async {
        await withCheckedContinuation { told in SessionHandling.whenTold(identifier) { told.resume() } }
    }
    /// Opens nothing.
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { false }
    /// Continues nothing.
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }
    /// Does nothing.
    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(false) }
    /// All of them.
    public func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { .all }
    /// Allows them.
    public func application(
        _ application: UIApplication,
        shouldAllowExtensionPointIdentifier extensionPointIdentifier: UIApplication.ExtensionPointIdentifier
    ) -> Bool { true }
    /// None: the application has not adopted scenes, unless its manifest has one.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { MissingConfiguration(connectingSceneSession.role) }
    /// Does nothing.
    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}
}

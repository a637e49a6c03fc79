/// Callbacks for a scene's lifecycle, on the main thread: in an application with scenes they replace the application
/// delegate's methods of the same meaning.
@preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene is being connected.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The scene was disconnected: the process is about to end.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The scene is in front.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The scene is about to leave the foreground.
    func sceneWillResignActive(_ scene: UIScene)
    /// The scene is about to be in sight.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The scene is out of sight. Has 5 seconds.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Never called: nothing opens URLs in a worker.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// Never called: there are no user activities.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// Never called: no state of an interface is kept.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    /// Nothing.
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
}

/// Callbacks for the lifecycle of a scene with windows.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window of the scene.
    var window: UIWindow? { get set }
    /// Never called: a worker has no quick actions.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
}

extension UIWindowSceneDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
    /// Does nothing.
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(false) }
}

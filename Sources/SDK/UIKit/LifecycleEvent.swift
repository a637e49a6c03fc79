/// Something that an application delegate and a scene's delegate have a method for each, and that each has a notification of.
@MainActor struct LifecycleEvent {
    let tell: (any UIApplicationDelegate, UIApplication) -> Void
    let name: Notification.Name
    let tellScene: (any UISceneDelegate, UIScene) -> Void
    let sceneName: Notification.Name

    static let didBecomeActive = LifecycleEvent(
        tell: { $0.applicationDidBecomeActive($1) }, name: UIApplication.didBecomeActiveNotification,
        tellScene: { $0.sceneDidBecomeActive($1) }, sceneName: UIScene.didActivateNotification)
    static let willResignActive = LifecycleEvent(
        tell: { $0.applicationWillResignActive($1) }, name: UIApplication.willResignActiveNotification,
        tellScene: { $0.sceneWillResignActive($1) }, sceneName: UIScene.willDeactivateNotification)
    static let didEnterBackground = LifecycleEvent(
        tell: { $0.applicationDidEnterBackground($1) }, name: UIApplication.didEnterBackgroundNotification,
        tellScene: { $0.sceneDidEnterBackground($1) }, sceneName: UIScene.didEnterBackgroundNotification)
    static let willEnterForeground = LifecycleEvent(
        tell: { $0.applicationWillEnterForeground($1) }, name: UIApplication.willEnterForegroundNotification,
        tellScene: { $0.sceneWillEnterForeground($1) }, sceneName: UIScene.willEnterForegroundNotification)
}

internal import CTaskHost
internal import TaskHostRuntime

/// Turns the host's changes of state into what UIKit tells an application: first its delegate, then the notification.
/// Everything but `start` happens on the main thread, which is the main actor's.
@MainActor enum LifecycleEvents {
    /// Starts listening, once.
    nonisolated static func start() { _ = started }

    nonisolated private static let started: Void = {
        Application.observe(
            Application.Observer(
                stateChanged: { state in MainActor.assumeIsolated { changed(to: state) } },
                willTerminate: { MainActor.assumeIsolated { terminate() } }))
    }()

    private static func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: UIApplication.shared)
    }

    /// Launches the application: the delegate's two calls. False when it does not want to.
    static func launch(_ delegate: any UIApplicationDelegate) -> Bool {
        let application = UIApplication.shared
        application.delegate = delegate
        guard delegate.application(application, willFinishLaunchingWithOptions: nil),
            delegate.application(application, didFinishLaunchingWithOptions: nil)
        else { return false }
        post(UIApplication.didFinishLaunchingNotification)
        return true
    }

    private static func changed(to state: UInt32) {
        switch state {
        case TASKHOST_STATE_ACTIVE: becomeActive()
        case TASKHOST_STATE_INACTIVE: becomeInactive()
        case TASKHOST_STATE_BACKGROUND: enterBackground()
        default: break  // a suspended application hears nothing
        }
    }

    static func becomeActive() {
        let application = UIApplication.shared
        guard application.applicationState != .active else { return }
        becomeInactive()
        application.enter(.active)
        application.delegate?.applicationDidBecomeActive(application)
        post(UIApplication.didBecomeActiveNotification)
    }

    private static func becomeInactive() {
        let application = UIApplication.shared
        switch application.applicationState {
        case .inactive: break
        case .active:
            application.delegate?.applicationWillResignActive(application)
            application.enter(.inactive)
            post(UIApplication.willResignActiveNotification)
        case .background:
            application.delegate?.applicationWillEnterForeground(application)
            post(UIApplication.willEnterForegroundNotification)
            application.enter(.inactive)
        }
    }

    private static func enterBackground() {
        let application = UIApplication.shared
        guard application.applicationState != .background else { return }
        if application.applicationState == .active { becomeInactive() }
        application.enter(.background)
        application.delegate?.applicationDidEnterBackground(application)
        post(UIApplication.didEnterBackgroundNotification)
    }

    private static func terminate() {
        let application = UIApplication.shared
        application.delegate?.applicationWillTerminate(application)
        post(UIApplication.willTerminateNotification)
    }
}

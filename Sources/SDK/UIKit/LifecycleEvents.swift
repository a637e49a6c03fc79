internal import CTaskHost
internal import TaskHostRuntime

/// Turns the host's changes of state into UIKit's calls: first to the delegate, or to its scene's if it has adopted scenes,
/// then the notifications. Everything but `start` happens on the main thread, which is the main actor's.
@MainActor enum LifecycleEvents {
    /// Starts listening, once.
    nonisolated static func start() { _ = started }

    nonisolated private static let started: Void = {
        _ = firstPhase
        Application.observe(
            Application.Observer(
                stateChanged: { state in MainActor.assumeIsolated { changed(to: state) } },
                willTerminate: { MainActor.assumeIsolated { terminate() } },
                fetch: { event in MainActor.assumeIsolated { Fetching.deliver(event) } },
                sessionEvents: { session, done in
                    nonisolated(unsafe) let done = done
                    MainActor.assumeIsolated { unsafe handleEvents(of: session, done) }
                }))
    }()

    /// The application's last callback. Its state says less: one that is launched in the background is there before its
    /// callback.
    private enum Phase { case launching, background, inactive, active }
    private static var phase = firstPhase

    /// An application that first uses this after its launch has missed the earlier events.
    nonisolated private static let firstPhase: Phase =
        if Application.hasLaunched {
            switch UIApplication.hostState {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            }
        } else { .launching }

    /// The application has not launched.
    static func forget() {
        phase = .launching
        DeclaredApplication.current = nil
    }

    private static func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: UIApplication.shared)
    }

    /// Launches the application: the delegate's two calls. False when one of them returns false, which changes nothing.
    static func launch(_ delegate: any UIApplicationDelegate) -> Bool {
        let application = UIApplication.shared
        application.delegate = delegate
        let answers = [
            delegate.application(application, willFinishLaunchingWithOptions: nil),
            delegate.application(application, didFinishLaunchingWithOptions: nil),
        ]
        post(UIApplication.didFinishLaunchingNotification)
        return !answers.contains(false)
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
        guard phase != .active else { return }
        becomeInactive()
        phase = .active
        enter(.active)
        tell(.didBecomeActive)
        DeclaredApplication.current?.changed(.active)
    }

    private static func becomeInactive() {
        switch phase {
        case .inactive: return
        case .active: tell(.willResignActive) { enter(.inactive) }
        case .background:
            SceneConnection.connect()
            tell(.willEnterForeground)
            enter(.inactive)
        case .launching:
            SceneConnection.connect()
            // Without scenes an application that is launched in the foreground is called only for becoming active.
            if SceneConnection.isAdopted { tell(.willEnterForeground) }
            enter(.inactive)
        }
        phase = .inactive
        DeclaredApplication.current?.changed(.inactive)
    }

    private static func enterBackground() {
        guard phase != .background else { return }
        if phase == .active { becomeInactive() }
        phase = .background
        enter(.background)
        tell(.didEnterBackground)
        DeclaredApplication.current?.changed(.background)
    }

    private static func enter(_ state: UIApplication.State) {
        UIApplication.shared.enter(state)
        SceneConnection.scene?.activationState =
            switch state {
            case .active: .foregroundActive
            case .inactive: .foregroundInactive
            case .background: .background
            }
    }

    private static func tell(_ event: LifecycleEvent, beforeNotifications change: () -> Void = {}) {
        let application = UIApplication.shared
        guard SceneConnection.isAdopted else {
            if let delegate = application.delegate { event.tell(delegate, application) }
            change()
            return post(event.name)
        }
        if let scene = SceneConnection.scene, let delegate = scene.delegate { event.tellScene(delegate, scene) }
        change()
        if let scene = SceneConnection.scene {
            NotificationCenter.default.post(name: event.sceneName, object: scene)
        }
        post(event.name)
    }

    /// Calls the application delegate for a background session's events, unless the application declares who handles them.
    private static func handleEvents(of session: String, _ done: @escaping () -> Void) {
        if DeclaredApplication.current?.handles(session, done) == true { return }
        let application = UIApplication.shared
        guard let delegate = application.delegate else { return SessionHandling.whenTold(session, done) }
        delegate.application(
            application, handleEventsForBackgroundURLSession: session, completionHandler: done)
    }

    private static func terminate() {
        let application = UIApplication.shared
        SceneConnection.disconnect()
        application.delegate?.applicationWillTerminate(application)
        post(UIApplication.willTerminateNotification)
    }
}

internal import TaskHostRuntime

/// The application delegate's answer if the application does not implement `configurationForConnecting`.
final class MissingConfiguration: UISceneConfiguration, @unchecked Sendable {
    init(_ role: UISceneSession.Role) { super.init(name: nil, sessionRole: role) }
}

/// Whether the application has adopted scenes, and its only scene.
@MainActor enum SceneConnection {
    /// What each scene of the process belongs to.
    static let session = UISceneSession(role: .windowApplication)
    /// The application's answer, once it was asked.
    private static var answer: UISceneConfiguration?
    /// The scene that is connected.
    private(set) static var scene: UIScene?

    /// Whether it has a scene, or gets one when it comes to the foreground. Without a manifest entry the application
    /// delegate is called: there is no other way to find out whether it implements the method.
    static var isAdopted: Bool {
        DeclaredApplication.current != nil || ConnectedHost.current?.sceneClass != nil
            || !(configuration is MissingConfiguration)
    }

    /// The application has not been asked, and has no scene.
    static func forget() {
        SceneAdoption.forget()
        answer = nil
        scene = nil
        session.scene = nil
    }

    private static var configuration: UISceneConfiguration {
        if let answer { return answer }
        let application = UIApplication.shared
        let new =
            application.delegate?.application(
                application, configurationForConnecting: session, options: UIScene.ConnectionOptions())
            ?? MissingConfiguration(session.role)
        answer = new
        return new
    }

    /// Creates the scene and its delegate, and calls the delegate. Does nothing when the application has no scenes, or
    /// already has its scene.
    static func connect() {
        guard scene == nil else { return }
        guard isAdopted else { return SceneAdoption.noteMissing() }
        let asked = configuration
        let used = asked is MissingConfiguration ? UISceneConfiguration(name: nil, sessionRole: session.role) : asked
        used.delegateClass = used.delegateClass ?? namedDelegateClass
        session.configuration = used
        let kind = used.sceneClass as? UIScene.Type ?? UIWindowScene.self
        let new = kind.init(_uikitLaunch: ())
        scene = new
        session.scene = new
        UIApplication.shared.setConnected([new])
        new.delegate = makeDelegate(used.delegateClass)
        new.delegate?.scene(new, willConnectTo: session, options: UIScene.ConnectionOptions())
        NotificationCenter.default.post(name: UIScene.willConnectNotification, object: new)
        new.activationState = .background
    }

    /// The process is about to end.
    static func disconnect() {
        guard let scene else { return }
        scene.delegate?.sceneDidDisconnect(scene)
        self.scene = nil
        session.scene = nil
        scene.activationState = .unattached
        UIApplication.shared.setConnected([])
        NotificationCenter.default.post(name: UIScene.didDisconnectNotification, object: scene)
    }

    /// The class that the manifest names.
    private static var namedDelegateClass: AnyClass? {
        guard let name = ConnectedHost.current?.sceneClass else {
            guard DeclaredApplication.current == nil else { return nil }
            Diagnostic.write(
                "the scene has no delegate: configurationForConnecting sets no delegateClass, and the manifest has no "
                    + "\"scene\"; name the class with its module there, such as \"\(module).SceneDelegate\"")
            return nil
        }
        guard let type = NSClassFromString(name) else {
            Diagnostic.write(
                "the scene has no delegate: no class \(name) is loaded, which the manifest names as \"scene\"; write the "
                    + "class with its module, such as \"\(module).SceneDelegate\"")
            return nil
        }
        return type
    }

    /// The module of the application delegate.
    private static var module: String {
        guard let delegate = UIApplication.shared.delegate else { return "Module" }
        return String(String(reflecting: type(of: delegate)).prefix { $0 != "." })
    }

    private static func makeDelegate(_ type: AnyClass?) -> (any UISceneDelegate)? {
        guard let type else { return nil }
        let made = (type as? UIResponder.Type).map { $0.init(_uikitLaunch: ()) } ?? ObjectMaker.make(type)
        guard let delegate = made as? any UISceneDelegate else {
            Diagnostic.write(
                "the scene has no delegate: \(type) does not conform to UISceneDelegate, or is not a UIResponder")
            return nil
        }
        return delegate
    }
}

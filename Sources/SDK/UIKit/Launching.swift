internal import TaskHostRuntime

extension UIApplicationDelegate {
    /// The entry point for `@main`: creates the delegate and launches the application. In a worker it returns once the
    /// application has launched; the worker then runs the run loop on the main thread. In a process of its own it brings the
    /// application to the foreground, for experiments, and never returns.
    public static func main() { Launching.launch(Self.self) }
}

@MainActor package enum Launching {
    static func launch(_ type: any UIApplicationDelegate.Type) { launch(make(type)) }

    /// Makes an object of an application delegate's class.
    package static func make(_ type: any UIApplicationDelegate.Type) -> any UIApplicationDelegate {
        let made = (type as? UIResponder.Type).map { $0.init(_uikitLaunch: ()) } ?? ObjectMaker.make(type)
        guard let delegate = made as? any UIApplicationDelegate else {
            Misuse.trap(
                "\(type) is not a UIResponder",
                advice:
                    "make the application delegate a subclass of UIResponder; this Foundation does not let the "
                    + "framework make objects of other classes")
        }
        return delegate
    }

    /// Launches the application; `registering` is called when its delegate has been.
    package static func launch(_ delegate: any UIApplicationDelegate, registering: () -> Void = {}) {
        let wants = LifecycleEvents.launch(delegate)
        registering()
        guard let host = ConnectedHost.current else {
            StandardError.write("taskhost: \(ConnectedHost.missing); until it is killed, the application runs in front")
            LifecycleEvents.becomeActive()
            while true { RunLoop.main.run() }
        }
        if host.sdk >= 27, !SceneConnection.isAdopted { SceneAdoption.endLaunch() }
        if !wants {
            Diagnostic.write("\(type(of: delegate)) returned false from didFinishLaunching, which is ignored")
        }
    }
}

/// Launches an application from a `main.swift`.
/// - Parameters:
///   - argc: the number of arguments.
///   - argv: the arguments.
///   - principalClassName: nil.
///   - delegateClassName: the name of the delegate's class, as `NSStringFromClass` gives it.
@discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    MainActor.assumeIsolated {
        guard let name = delegateClassName, let type = NSClassFromString(name) as? any UIApplicationDelegate.Type else {
            Misuse.trap(
                "Unable to instantiate the UIApplication delegate instance. No class named \(delegateClassName ?? "nil") "
                    + "is loaded", advice: "pass NSStringFromClass(AppDelegate.self)")
        }
        Launching.launch(type)
    }
    return 0
}

// MARK: - Functions that the compiler calls for @UIApplicationMain

/// The class's mangled name, retained for the caller. The compiler passes it to `UIApplicationMain` only.
@c(NSStringFromClass)
public func taskHostStringFromClass(_ metadata: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    guard let name = unsafe _mangledTypeName(unsafeBitCast(metadata, to: AnyClass.self)) else { return nil }
    return unsafe Unmanaged.passRetained(NSString(string: name)).toOpaque()
}

/// Launches the application with the delegate class of this mangled name.
@c(UIApplicationMain)
public func taskHostApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principal: UnsafeMutableRawPointer?,
    _ name: UnsafeMutableRawPointer?
) -> Int32 {
    guard let name = unsafe name else { return 1 }
    let mangled = unsafe "\(Unmanaged<NSString>.fromOpaque(name).takeUnretainedValue())"
    MainActor.assumeIsolated {
        guard let type = _typeByName(mangled) as? any UIApplicationDelegate.Type else {
            Misuse.trap(
                "no class \(mangled) is loaded", advice: "mark the delegate with @main instead of @UIApplicationMain")
        }
        Launching.launch(type)
    }
    return 0
}

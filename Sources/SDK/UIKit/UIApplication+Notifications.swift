extension UIApplication {
    /// Posted on the main thread right after the delegate's call.
    public class var didFinishLaunchingNotification: Notification.Name { name("DidFinishLaunching") }
    /// Posted on the main thread right after the delegate's call.
    public class var didBecomeActiveNotification: Notification.Name { name("DidBecomeActive") }
    /// Posted on the main thread right after the delegate's call.
    public class var willResignActiveNotification: Notification.Name { name("WillResignActive") }
    /// Posted on the main thread right after the delegate's call.
    public class var didEnterBackgroundNotification: Notification.Name { name("DidEnterBackground") }
    /// Posted on the main thread right after the delegate's call.
    public class var willEnterForegroundNotification: Notification.Name { name("WillEnterForeground") }
    /// Posted on the main thread right after the delegate's call.
    public class var willTerminateNotification: Notification.Name { name("WillTerminate") }
    /// Never posted: the kernel's memory limit gives no warning.
    public class var didReceiveMemoryWarningNotification: Notification.Name { name("DidReceiveMemoryWarning") }
    /// Never posted.
    public class var significantTimeChangeNotification: Notification.Name { name("SignificantTimeChange") }
    /// Never posted: the application receives a change at its next launch.
    public class var backgroundRefreshStatusDidChangeNotification: Notification.Name {
        name("BackgroundRefreshStatusDidChange")
    }
    /// Never posted: Linux has no protection classes.
    public class var protectedDataDidBecomeAvailableNotification: Notification.Name {
        name("ProtectedDataDidBecomeAvailable")
    }
    /// Never posted: Linux has no protection classes.
    public class var protectedDataWillBecomeUnavailableNotification: Notification.Name {
        name("ProtectedDataWillBecomeUnavailable")
    }

    /// Code that uses a name may be waiting for it.
    private static func name(_ event: String) -> Notification.Name {
        LifecycleEvents.start()
        return Notification.Name("UIApplication\(event)Notification")
    }
}

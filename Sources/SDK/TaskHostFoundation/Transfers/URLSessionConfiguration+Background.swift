internal import TaskHostRuntime

extension URLSessionConfiguration {
    /// A configuration whose session hands its transfers to the host: they continue while the application is suspended, and
    /// after it has crashed or was ended, and the application is launched when they are over.
    /// - Parameter identifier: identifies the session across processes of the application; 1 to 255 bytes.
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        if identifier.isEmpty {
            Misuse.found("A background session needs an identifier", advice: "pass a text that is not empty")
        }
        return BackgroundConfiguration.make(identifier: identifier)
    }

    private var background: BackgroundConfiguration? { self as? BackgroundConfiguration }

    /// Whether the application is launched or resumed for the session's events. True by default. Without effect for other
    /// sessions.
    public var sessionSendsLaunchEvents: Bool {
        get { background?.sendsLaunchEvents ?? ConfigurationExtras.values(of: self).sendsLaunchEvents }
        set {
            guard let background else {
                return ConfigurationExtras.change(self) { $0.sendsLaunchEvents = newValue }
            }
            background.sendsLaunchEvents = newValue
        }
    }

    /// A background session always waits: true for its configuration. Stored without effect for other sessions, whose
    /// transfers fail at once without connectivity.
    public var waitsForConnectivity: Bool {
        get { background != nil || ConfigurationExtras.values(of: self).waitsForConnectivity }
        set { ConfigurationExtras.change(self) { $0.waitsForConnectivity = newValue } }
    }

    /// Kept, and of no effect: applications share no containers.
    public var sharedContainerIdentifier: String? {
        get { background?.container ?? ConfigurationExtras.values(of: self).container }
        set {
            guard let background else { return ConfigurationExtras.change(self) { $0.container = newValue } }
            background.container = newValue
        }
    }

    /// Whether a background session uses a network that costs money. True at first. Of no effect for other sessions.
    public var allowsExpensiveNetworkAccess: Bool {
        get { background?.allowsExpensive ?? ConfigurationExtras.values(of: self).allowsExpensive }
        set {
            guard let background else { return ConfigurationExtras.change(self) { $0.allowsExpensive = newValue } }
            background.allowsExpensive = newValue
        }
    }

    /// Whether a background session uses a network in low-data mode. True by default. Without effect for other
    /// sessions.
    public var allowsConstrainedNetworkAccess: Bool {
        get { background?.allowsConstrained ?? ConfigurationExtras.values(of: self).allowsConstrained }
        set {
            guard let background else { return ConfigurationExtras.change(self) { $0.allowsConstrained = newValue } }
            background.allowsConstrained = newValue
        }
    }
}

internal import TaskHostRuntime

extension URLSessionConfiguration {
    /// A configuration whose session runs its transfers in this process, as a session of the default configuration does.
    /// They do not outlive the process: the worker is not started again for them, `urlSessionDidFinishEvents` is never
    /// called, and the first call of this function says so in the host's journal.
    /// - Parameter identifier: names the session.
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        ForegroundTransfers.report()
        let configuration = URLSessionConfiguration.default
        configuration.identifier = identifier
        return configuration
    }

    /// Kept, and of no effect: no application is started for its transfers.
    public var sessionSendsLaunchEvents: Bool {
        get { ConfigurationExtras.values(of: self).sendsLaunchEvents }
        set { ConfigurationExtras.change(self) { $0.sendsLaunchEvents = newValue } }
    }

    /// Kept, and of no effect: a transfer without connectivity fails at once. A task that needs the network says so in its
    /// request, with `requiresNetworkConnectivity`.
    public var waitsForConnectivity: Bool {
        get { ConfigurationExtras.values(of: self).waitsForConnectivity }
        set { ConfigurationExtras.change(self) { $0.waitsForConnectivity = newValue } }
    }

    /// Kept, and of no effect: applications share no containers.
    public var sharedContainerIdentifier: String? {
        get { ConfigurationExtras.values(of: self).container }
        set { ConfigurationExtras.change(self) { $0.container = newValue } }
    }

    /// Kept, and of no effect: what a network costs is not known here.
    public var allowsExpensiveNetworkAccess: Bool {
        get { ConfigurationExtras.values(of: self).allowsExpensive }
        set { ConfigurationExtras.change(self) { $0.allowsExpensive = newValue } }
    }

    /// Kept, and of no effect: what a network costs is not known here.
    public var allowsConstrainedNetworkAccess: Bool {
        get { ConfigurationExtras.values(of: self).allowsConstrained }
        set { ConfigurationExtras.change(self) { $0.allowsConstrained = newValue } }
    }
}

/// Says once in a process that its background sessions are none.
private enum ForegroundTransfers {
    static func report() { _ = reported }

    private static let reported: Void = Diagnostic.write(
        "background URL sessions run in the worker, and their transfers end with it; "
            + "keep the task open until they are done")
}

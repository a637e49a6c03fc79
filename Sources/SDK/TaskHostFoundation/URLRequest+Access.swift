extension URLRequest {
    /// True: what a network costs is not known here. Setting it has no effect, and is not kept: a request of Linux's
    /// Foundation has no room for it.
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }

    /// True: what a network costs is not known here. Setting it has no effect, and is not kept: a request of Linux's
    /// Foundation has no room for it.
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

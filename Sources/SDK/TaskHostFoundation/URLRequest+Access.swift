extension URLRequest {
    /// True: the cost of a network is unknown here. Setting it has no effect and is not stored: a request of Foundation
    /// on Linux has no place for it.
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }

    /// True: the cost of a network is unknown here. Setting it has no effect and is not stored: a request of Foundation
    /// on Linux has no place for it.
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

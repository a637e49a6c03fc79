internal import TaskHostRuntime

// Three steps make `URLSession(configuration:…)` give an object of a subclass:
// 1. the two initialisers of the extension of the class have FoundationNetworking's signatures: this module re-exports that one,
//    so they hide them from every file that has FoundationNetworking through this module;
// 2. they are disfavoured, so a call prefers the initialisers of the protocol, which without step 1 would always lose
//    (a member of a class goes before a member of a protocol extension);
// 3. an initialiser of a protocol extension may assign to self.
// Within this module a plain `URLSession(configuration:)` is ours: FoundationNetworking's needs the module selector.

/// Gives `URLSession` the initialisers that know background sessions.
public protocol URLSessionCreation {}

// Of the class itself alone: a subclass has the initialisers below.
extension URLSessionCreation where Self == URLSession {
    /// A session without a delegate.
    public init(configuration: URLSessionConfiguration, _: Void = ()) {
        self = makeSession(configuration, nil, nil)
    }

    /// A session. With a background configuration its transfers are the host's.
    public init(
        configuration: URLSessionConfiguration, delegate: (any FoundationNetworking.URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?, _: Void = ()
    ) {
        self = makeSession(configuration, delegate, queue)
    }
}

extension URLSession: URLSessionCreation {}

extension URLSession {
    /// For subclasses, and as a value of function type; a call never comes here.
    @_disfavoredOverload
    public convenience init(configuration: URLSessionConfiguration) {
        refuse(configuration)
        self.FoundationNetworking::init(configuration: configuration)
    }

    /// For subclasses, and as a value of function type; a call never comes here.
    @_disfavoredOverload
    public convenience init(
        configuration: URLSessionConfiguration, delegate: (any FoundationNetworking.URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        refuse(configuration)
        self.FoundationNetworking::init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}

/// Subclasses, and initialisers that are passed along as functions, make no background sessions.
private func refuse(_ configuration: URLSessionConfiguration) {
    guard configuration is BackgroundConfiguration else { return }
    Misuse.found(
        "A background session was made by a subclass of URLSession, or by URLSession.init as a function",
        advice: "call URLSession(configuration:delegate:delegateQueue:)")
}

private func makeSession(
    _ configuration: URLSessionConfiguration, _ delegate: (any FoundationNetworking.URLSessionDelegate)?,
    _ queue: OperationQueue?
) -> URLSession {
    guard let background = configuration as? BackgroundConfiguration else {
        return URLSession.FoundationNetworking::init(
            configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
    return BackgroundSession(background, delegate, queue)
}

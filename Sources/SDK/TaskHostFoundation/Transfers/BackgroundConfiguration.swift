/// The configuration of a background session, recognized by its class: `identifier` can be set on Linux, so a configuration
/// with one need not be one of these. Copies, including those that sessions make, have the same class.
final class BackgroundConfiguration: URLSessionConfiguration, QuietlyMade, @unchecked Sendable {
    var sendsLaunchEvents = true
    var container: String?
    var allowsExpensive = true
    var allowsConstrained = true

    static func make(identifier: String) -> BackgroundConfiguration {
        let configuration = make()
        configuration.identifier = identifier
        // Reached only where code that was compiled without this module makes the session.
        configuration.protocolClasses = [ForeignSession.self]
        configuration.urlCache = nil
        return configuration
    }

    private static func make() -> BackgroundConfiguration {
        guard let made = (Self.self as any QuietlyMade.Type).init(quietly: ()) as? BackgroundConfiguration else {
            fatalError("BackgroundConfiguration makes objects of its own class")
        }
        return made
    }

    // As the inherited initialiser is; through the protocol it is called without a warning.
    @available(*, deprecated)
    init(quietly: Void) { super.init() }

    override func copy() -> Any { copy(with: nil) }

    override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.make()
        copy.identifier = identifier
        copy.requestCachePolicy = requestCachePolicy
        copy.timeoutIntervalForRequest = timeoutIntervalForRequest
        copy.timeoutIntervalForResource = timeoutIntervalForResource
        copy.networkServiceType = networkServiceType
        copy.allowsCellularAccess = allowsCellularAccess
        copy.isDiscretionary = isDiscretionary
        copy.connectionProxyDictionary = connectionProxyDictionary
        copy.httpShouldSetCookies = httpShouldSetCookies
        copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
        copy.httpAdditionalHeaders = httpAdditionalHeaders
        copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        copy.httpCookieStorage = httpCookieStorage
        copy.urlCredentialStorage = urlCredentialStorage
        copy.urlCache = urlCache
        copy.protocolClasses = protocolClasses
        copy.sendsLaunchEvents = sendsLaunchEvents
        copy.container = container
        copy.allowsExpensive = allowsExpensive
        copy.allowsConstrained = allowsConstrained
        return copy
    }
}

private protocol QuietlyMade { init(quietly: Void) }

/// Refuses the requests of a FoundationNetworking session with a background configuration.
private final class ForeignSession: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canInit(with task: URLSessionTask) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
        let sentence =
            "the background session was made by code that was compiled without TaskHostFoundation; "
            + "compile it with taskhost's flags"
        client?.urlProtocol(
            self,
            didFailWithError: URLError(
                .backgroundSessionRequiresSharedContainer, userInfo: [NSLocalizedDescriptionKey: sentence]))
    }
    override func stopLoading() {}
}

import TaskModel
import Wire

/// Leads another conversation through redirects, and detects challenges. It checks every URL against the order's grants
/// before any request.
final class Guide: Conversation {
    private let inner: any Conversation
    private let order: TransferOrder
    private let guarding: TransferGuard
    /// The server that the order's secrets belong to; nil: its URL cannot be parsed.
    private let origin: TransferURL?
    private var current: ExchangeRequest?
    /// After a redirect.
    private var next: ExchangeRequest?
    private var challenge: TransferChallenge?
    private var redirects = 0

    init(_ inner: any Conversation, _ order: TransferOrder) {
        self.inner = inner
        self.order = order
        guarding = TransferGuard(order.grants)
        origin = TransferURL(order.url)
    }

    func begin() throws(TransferFault) -> ExchangeRequest {
        try checked(inner.begin())
    }

    func interim(_ answer: Answer) { inner.interim(answer) }

    func takeNews() -> [TransferReport] { inner.takeNews() }

    /// The answer requires credentials.
    var hasQuestion: Bool { challenge != nil }

    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse {
        // Another answer follows when libcurl has authenticated by itself.
        next = nil
        challenge = nil
        guard let current else { return .none }
        try FinalAnswer.check(answer, to: current)
        if let redirect = Redirect(answer, of: current.method, from: current.url) {
            redirects += 1
            guard redirects <= TransferLimit.redirects else {
                throw TransferFault(
                    .failed, .tooManyRedirects,
                    "the server redirects more than \(TransferLimit.redirects) times; \(current.url.host); "
                        + "see where its Location fields lead")
            }
            next = try checked(
                ExchangeRequest(
                    url: redirect.url, method: redirect.method,
                    headers: redirect.headers(current.headers, from: current.url),
                    content: redirect.keepsContent ? current.content : nil))
            return .none
        }
        challenge = question(of: answer, current)
        return challenge == nil ? try inner.answered(answer) : .none
    }

    func ended(_ answer: Answer, size: Int64) -> NextStep {
        if let next {
            current = next
            return .request(next)
        }
        if let challenge { return .end(Self.result(challenge)) }
        let step = inner.ended(answer, size: size)
        guard case .request(let request) = step else { return step }
        do throws(TransferFault) { return .request(try checked(request)) } catch { return .end(error.result) }
    }

    func report(of answer: Answer, at offset: Int64) -> TransferReport { inner.report(of: answer, at: offset) }

    // MARK: Grants

    private func checked(_ request: ExchangeRequest) throws(TransferFault) -> ExchangeRequest {
        let url = request.url
        // A record of before may have one that is refused today.
        guard ProxyAddress.isSound(order.proxy), order.proxy.isEmpty || TransferURL(order.proxy) != nil else {
            throw TransferFault(
                .failed, .badURL,
                "the session's proxy is no URL of a proxy; \(url.host); open the session with http://host:port")
        }
        let isGranted = order.proxy.isEmpty ? guarding.allows(url) : guarding.allowsByProxy(url)
        guard isGranted else {
            throw TransferFault(
                .failed, .notPermitted,
                "\(url.host):\(url.port) is not among the application's permissions.network; grant it in the manifest")
        }
        var request = request
        sign(&request)
        current = request
        return request
    }

    /// Whether an address of the request's host, or of its proxy, may be connected to.
    func allows(_ address: NetworkAddress, port: UInt16) -> Bool {
        guard let current else { return false }
        guard order.proxy.isEmpty else {
            guard let proxy = TransferURL(order.proxy) else { return false }
            return guarding.allows(address, port: port, host: proxy.host)
        }
        return guarding.allows(address, port: port, host: current.url.host)
    }

    // MARK: Credentials

    /// The order's credentials are for one place alone.
    private func sign(_ request: inout ExchangeRequest) {
        guard let origin else { return }
        let user = order.user.isEmpty ? origin.user : order.user
        let url = request.url
        let isPlace =
            order.credentialsPlace.isEmpty
            ? url.hasOrigin(of: origin)
            : order.credentialsPlace == TransferOrder.place(url.host, port: url.port, isSecure: url.isSecure)
        if order.isToken {
            guard isPlace else { return }
            return request.headers.setAuthorization("Bearer \(order.password)")
        }
        guard isPlace, !user.isEmpty else { return }
        request.user = user
        request.password = order.user.isEmpty ? origin.password : order.password
        // It would replace libcurl's.
        request.headers.removeAll { $0.name.lowercased() == "authorization" }
    }

    private func question(of answer: Answer, _ request: ExchangeRequest) -> TransferChallenge? {
        guard answer.status == 401 || answer.status == 407, !order.acceptsChallenge,
            let (method, realm) = ChallengeParser.best(of: answer)
        else { return nil }
        let isProxy = answer.status == 407
        guard let place = isProxy ? TransferURL(order.proxy) : request.url else { return nil }
        var challenge = TransferChallenge(method, host: place.host, port: place.port, isSecure: place.isSecure)
        challenge.isProxy = isProxy
        challenge.realm = String(realm.prefix(Self.mostRealm))
        let hadTried =
            isProxy
            ? !place.user.isEmpty
            : !request.user.isEmpty || request.headers.contains { $0.name.lowercased() == "authorization" }
        challenge.failures = hadTried ? 1 : 0
        return challenge
    }

    /// The most characters of a realm that are reported.
    private static let mostRealm = 200

    private static func result(_ challenge: TransferChallenge) -> TransferResult {
        let who = challenge.isProxy ? "the proxy" : challenge.host
        var result = TransferResult(.challenged, error: .userAuthenticationRequired)
        result.sentence = "\(who) wants credentials (\(challenge.method), realm \"\(challenge.realm)\")"
        result.challenge = challenge
        return result
    }
}

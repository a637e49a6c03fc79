import TaskModel
import Transfers

extension NewTransfer {
    /// What the policy needs to know of a transfer.
    init(_ stored: BackgroundTransfer, of session: SessionHandle) {
        let request = stored.request
        self.init(
            session: session, kind: request.kind, origin: Self.origin(of: request.url), created: stored.created)
        earliest = request.earliest
        priority = request.priority
        allowsExpensive = request.allowsExpensive
        allowsConstrained = request.allowsConstrained
        isFromBackground = stored.isFromBackground
        needsNetwork = WebURL(request.url).map { !Self.isOwn($0.host) } ?? true
        state = stored.state
    }

    private static func origin(of url: String) -> UInt32 {
        // FNV-1a: two origins with the same number share its connections, which only costs time; and no table fills up.
        (WebURL(url)?.origin ?? "").utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// This machine itself needs no network.
    private static func isOwn(_ host: String) -> Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

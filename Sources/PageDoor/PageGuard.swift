package import Control

/// Which requests of a browser come in, by their heads alone.
///
/// No credential is ambient: a cookie of 127.0.0.1 would go to every port of it, so to servers of other users of the machine.
/// What a page of another site sends is refused by where it comes from, before its key is looked at.
package struct PageGuard: Sendable {
    /// Bytes of a body that somebody without a key may send: a token.
    package static let sessionBytes = 4 << 10
    /// Bytes of a body for the daemon, which takes no more.
    static let apiBytes = ServerLimits().bodyBytes

    package let port: UInt16
    /// Nothing can be changed through it.
    package let isReadOnly: Bool
    package var keys: PageKeys
    /// What a browser may call it in `Host`.
    private let hosts: [String]

    package init(port: UInt16, isReadOnly: Bool, keys: PageKeys) {
        self.port = port
        self.isReadOnly = isReadOnly
        self.keys = keys
        let names = ["127.0.0.1", "[::1]", "localhost"]
        // Browsers leave HTTP's own port out.
        hosts = names.map { "\($0):\(port)" } + (port == 80 ? names : [])
    }

    /// Where it listens, for sentences.
    package var place: String { "127.0.0.1:\(port)" }

    /// - Throws: why it does not come in.
    package mutating func admit(_ head: RequestHead) throws(Problem) {
        // A name that resolves to this address (DNS rebinding) makes a page of another site one of the same origin.
        guard head.hosts.count == 1, hosts.contains(head.hosts[0]) else {
            throw .misdirected(head.hosts.joined(separator: ", "), expected: place)
        }
        try checkSource(head)
        let place = PagePlace(head.path)
        guard place.needsKey else {
            guard !head.isChunked, head.length ?? 0 <= Self.sessionBytes else {
                throw .bodyTooLarge(limit: Self.sessionBytes)
            }
            return
        }
        guard head.credentials.count == 1 else { throw .noKey(self.place) }
        guard keys.admits(head.credentials[0]) else { throw .wrongKey(self.place) }
        guard !isReadOnly || Self.onlyReads(head, place) else { throw .readOnlyPage(self.place) }
        // A manifest may be longer.
        guard place != .api || head.length ?? 0 <= Self.apiBytes else { throw .bodyTooLarge(limit: Self.apiBytes) }
    }

    private func checkSource(_ head: RequestHead) throws(Problem) {
        for origin in head.origins where head.origins.count > 1 || origin != "http://\(head.hosts[0])" {
            throw .foreignPage("Origin: \(origin)", place)
        }
        // Another port of this machine is the same site, and may be another user's.
        for site in head.fetchSites where head.fetchSites.count > 1 || site != "same-origin" && site != "none" {
            throw .foreignPage("Sec-Fetch-Site: \(site)", place)
        }
        // Browsers name the origin of whatever may change something.
        guard !head.origins.isEmpty || Self.looks(head) else { throw .noOrigin(place) }
    }

    private static func looks(_ head: RequestHead) -> Bool { head.method == "GET" || head.method == "HEAD" }

    /// A forecast has a body, and so has the text of a manifest that is to be checked, or a job that is to have one: nothing
    /// changes.
    private static func onlyReads(_ head: RequestHead, _ place: PagePlace) -> Bool {
        guard !looks(head) else { return true }
        let isQuestion =
            place == .manifestCheck || place == .manifestProposal || head.path == Route.playForecast.pattern.description
        return head.method == "POST" && isQuestion
    }
}

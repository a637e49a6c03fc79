import Control
import Linux
import PageDoor
import TaskModel
import TestSupport
import Testing

/// Whom the page's proxy lets in, by the head of the request alone.
@Suite("The page's guard")
struct GuardTests {
    private static let port: UInt16 = 4711
    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// A guard, and its key.
    private static func make(port: UInt16 = port, isReadOnly: Bool = false) throws -> (PageGuard, key: String) {
        var keys = PageKeys(name: Array(repeating: 0xAB, count: 8), secret: Array(0..<32))
        let token = keys.makeToken(from: Array(32..<64), at: start)
        guard case .key(let key) = keys.exchange(token, at: start) else { throw TestSupport.Problem("no key") }
        return (PageGuard(port: port, isReadOnly: isReadOnly, keys: keys), key)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var method = "GET"
        var path = "/v1/host"
        var hosts = ["127.0.0.1:4711"]
        var origins: [String] = []
        var sites: [String] = []
        /// nil: the right key.
        var credentials: [String]?
        var length: Int?
        var isChunked = false
        var isReadOnly = false
        /// nil: it comes in.
        var status: Int?
        var testDescription: String { what }
    }

    static let own = ["http://127.0.0.1:4711"]
    static let cases: [Case] = [
        Case(what: "the API with a key"),
        Case(what: "its name in IPv6", hosts: ["[::1]:4711"]),
        Case(what: "its name as localhost", hosts: ["localhost:4711"]),
        Case(what: "a foreign name", hosts: ["evil.example"], status: 421),
        Case(what: "a foreign name with the port", hosts: ["evil.example:4711"], status: 421),
        Case(what: "a name that ends like ours", hosts: ["evil.localhost:4711"], status: 421),
        Case(what: "a name with a point behind", hosts: ["localhost.:4711"], status: 421),
        Case(what: "another loopback address", hosts: ["127.0.0.2:4711"], status: 421),
        Case(what: "another spelling of it", hosts: ["2130706433:4711"], status: 421),
        Case(what: "an address of IPv6 without brackets", hosts: ["::1:4711"], status: 421),
        Case(what: "another port", hosts: ["127.0.0.1:4712"], status: 421),
        Case(what: "no port", hosts: ["127.0.0.1"], status: 421),
        Case(what: "no Host", hosts: [], status: 421),
        Case(what: "an empty Host", hosts: [""], status: 421),
        Case(what: "two Hosts", hosts: ["127.0.0.1:4711", "127.0.0.1:4711"], status: 421),
        Case(what: "a user in Host", hosts: ["x@127.0.0.1:4711"], status: 421),
        Case(what: "its own origin", origins: own),
        Case(what: "a foreign origin", origins: ["http://evil.example"], status: 403),
        Case(what: "its origin with TLS", origins: ["https://127.0.0.1:4711"], status: 403),
        Case(what: "another port's origin", origins: ["http://127.0.0.1:4712"], status: 403),
        Case(what: "the origin of its other name", origins: ["http://localhost:4711"], status: 403),
        Case(what: "the origin null", origins: ["null"], status: 403),
        Case(what: "an empty origin", origins: [""], status: 403),
        Case(what: "two origins", origins: own + own, status: 403),
        Case(what: "a longer origin", origins: ["http://127.0.0.1:4711.evil.example"], status: 403),
        Case(what: "a foreign origin for the page itself", path: "/", origins: ["http://evil.example"], status: 403),
        Case(what: "its own page", sites: ["same-origin"]),
        Case(what: "a user who typed the address", path: "/", sites: ["none"]),
        Case(what: "another site", path: "/", sites: ["cross-site"], status: 403),
        Case(what: "another port of the same site", path: "/", sites: ["same-site"], status: 403),
        Case(what: "a site of another kind", path: "/", sites: ["nearby"], status: 403),
        Case(what: "two sites", path: "/", sites: ["none", "none"], status: 403),
        Case(what: "a change", method: "POST", path: "/v1/reload", origins: own),
        Case(what: "a change without an origin", method: "POST", path: "/v1/reload", status: 403),
        Case(what: "a PATCH without an origin", method: "PATCH", path: "/v1/device", status: 403),
        Case(what: "a DELETE without an origin", method: "DELETE", path: "/v1/device", status: 403),
        Case(what: "a preflight", method: "OPTIONS", origins: ["http://evil.example"], status: 403),
        Case(what: "OPTIONS without an origin", method: "OPTIONS", status: 403),
        Case(what: "the head of a document", method: "HEAD"),
        Case(what: "no key", credentials: [], status: 401),
        Case(what: "an empty key", credentials: [""], status: 401),
        Case(what: "another key", credentials: ["Bearer abc"], status: 401),
        Case(what: "no key for metrics", path: "/metrics", credentials: [], status: 401),
        Case(what: "no key, within a path that looks like the page's", path: "/v1/../", credentials: [], status: 401),
        Case(what: "no key for the page", path: "/", credentials: []),
        Case(what: "no key for a file", path: "/app.js", credentials: []),
        Case(what: "no key for a session", method: "POST", path: "/session", origins: own, credentials: [], length: 80),
        Case(what: "a session without an origin", method: "POST", path: "/session", credentials: [], status: 403),
        Case(
            what: "a session that is too long", method: "POST", path: "/session", origins: own, credentials: [],
            length: 4097, status: 413),
        Case(
            what: "a session in chunks", method: "POST", path: "/session", origins: own, credentials: [],
            isChunked: true, status: 413),
        Case(what: "a body for nothing", path: "/", credentials: [], length: 1 << 20, status: 413),
        Case(what: "a body for the API", method: "POST", path: "/v1/runs", origins: own, length: 1 << 20),
        Case(what: "a look, read only", isReadOnly: true),
        Case(
            what: "a change, read only", method: "POST", path: "/v1/runs", origins: own, isReadOnly: true, status: 403),
        Case(
            what: "a forecast, read only", method: "POST", path: "/v1/forecast", origins: own, isReadOnly: true),
        Case(
            what: "a forecast's neighbour, read only", method: "POST", path: "/v1/forecast/", origins: own,
            isReadOnly: true, status: 403),
        Case(
            what: "a DELETE, read only", method: "DELETE", path: "/v1/forecast", origins: own, isReadOnly: true,
            status: 403),
        Case(
            what: "a session, read only", method: "POST", path: "/session", origins: own, credentials: [], length: 80,
            isReadOnly: true),
        Case(what: "a manifest", path: "/manifest"),
        Case(what: "a manifest without a key", path: "/manifest", credentials: [], status: 401),
        Case(what: "a manifest for another site", path: "/manifest", sites: ["cross-site"], status: 403),
        Case(what: "a manifest of a foreign name", path: "/manifest", hosts: ["evil.example"], status: 421),
        Case(what: "a write", method: "POST", path: "/manifest", origins: own, length: 8 << 20),
        Case(
            what: "a write without a key", method: "POST", path: "/manifest", origins: own, credentials: [], status: 401
        ),
        Case(what: "a write without an origin", method: "POST", path: "/manifest", status: 403),
        Case(what: "a write of another page", method: "POST", path: "/manifest", origins: ["null"], status: 403),
        Case(
            what: "a check without a key", method: "POST", path: "/manifest/check", origins: own, credentials: [],
            status: 401),
        Case(
            what: "a job without a key", method: "POST", path: "/manifest/new", origins: own, credentials: [],
            status: 401),
        Case(what: "a manifest, read only", path: "/manifest", isReadOnly: true),
        Case(
            what: "a write, read only", method: "POST", path: "/manifest", origins: own, isReadOnly: true, status: 403),
        Case(what: "a check, read only", method: "POST", path: "/manifest/check", origins: own, isReadOnly: true),
        Case(what: "a job, read only", method: "POST", path: "/manifest/new", origins: own, isReadOnly: true),
        Case(
            what: "a check by another method, read only", method: "PATCH", path: "/manifest/check", origins: own,
            isReadOnly: true, status: 403),
        Case(
            what: "a long body for the API", method: "POST", path: "/v1/runs", origins: own, length: 1 << 20 + 1,
            status: 413),
        // A foreign request is refused before anything is said about the key.
        Case(what: "a foreign name without a key", hosts: ["evil.example"], credentials: [], status: 421),
        Case(what: "a foreign origin without a key", origins: ["http://evil.example"], credentials: [], status: 403),
    ]

    @Test("decides by host, origin, site, key and method", arguments: cases)
    func decides(_ row: Case) throws {
        var (guardian, key) = try Self.make(isReadOnly: row.isReadOnly)
        var head = RequestHead(row.method, row.path)
        head.hosts = row.hosts
        head.origins = row.origins
        head.fetchSites = row.sites
        head.credentials = row.credentials ?? ["Bearer \(key)"]
        head.length = row.length
        head.isChunked = row.isChunked
        var status: Int?
        do throws(Control.Problem) {
            try guardian.admit(head)
        } catch {
            status = error.status
            #expect(error.detail.split(separator: "; ").count == 3, "\(error.detail)")
        }
        #expect(status == row.status)
    }

    @Test("knows itself without a port on the port of HTTP alone")
    func usualPort() throws {
        var (guardian, key) = try Self.make(port: 80)
        var head = RequestHead("GET", "/v1/host")
        head.credentials = ["Bearer \(key)"]
        head.hosts = ["localhost"]
        try guardian.admit(head)
    }

    // MARK: Links and keys

    /// Keys that a macro may ask.
    private final class Ring {
        private var keys: PageKeys
        var wrong: Int { keys.wrong }
        var isBesieged: Bool { keys.isBesieged }

        init(_ secret: UInt8) {
            keys = PageKeys(name: Array(repeating: secret, count: 8), secret: Array(repeating: secret, count: 32))
        }

        func makeToken(_ secret: UInt8, at now: Instant = start) -> String {
            keys.makeToken(from: Array(repeating: secret, count: 32), at: now)
        }
        func exchange(_ token: String, at now: Instant = start) -> PageKeys.Exchange { keys.exchange(token, at: now) }
        func admits(_ authorization: String) -> Bool { keys.admits(authorization) }
        /// The key, for a new link.
        func key() throws -> String {
            guard case .key(let key) = exchange(makeToken(0)) else { throw TestSupport.Problem("no key") }
            return key
        }
    }

    @Test("gives a link's key once, and within a minute")
    func links() throws {
        let keys = Ring(1)
        let (first, second) = (keys.makeToken(2), keys.makeToken(3))
        #expect(first.utf8.count == 64 && first != second)
        let last = Self.start + PageKeys.life
        guard case .key(let key) = keys.exchange(first) else { throw TestSupport.Problem("no key") }
        #expect(keys.exchange(first) == .spent)
        #expect(keys.exchange(second, at: last) == .spent)
        // It stays too old, whatever the time.
        #expect(keys.exchange(second) == .spent)
        #expect(keys.wrong == 0)
        for token in ["", String(first.dropLast()), first + "0", first.uppercased() + "x", "Bearer \(first)"] {
            #expect(keys.exchange(token) == .wrong)
        }
        #expect(keys.wrong == 5)
        #expect(keys.admits("Bearer \(key)") && keys.admits("bearer \(key)"))
        // A browser that has a key keeps it when another link is made.
        #expect(keys.exchange(keys.makeToken(4, at: last), at: last) == .key(key))
        #expect(keys.admits("Bearer \(key)"))
    }

    @Test("remembers a bounded number of links")
    func manyLinks() throws {
        let keys = Ring(1)
        let tokens = (0..<65).map { keys.makeToken($0) }
        #expect(keys.exchange(tokens[0]) == .wrong)
        for token in tokens.dropFirst() {
            guard case .key = keys.exchange(token) else { throw TestSupport.Problem("no key") }
        }
    }

    @Test("ends after ten wrong keys, whichever they are")
    func besieged() throws {
        let keys = Ring(1)
        let key = try keys.key()
        let wrong = [
            "Bearer", "Bearer x", key, "Basic \(key)", "Bearer \(key)0", "Bearer \(key.dropLast())", "Bearer \(key) x",
            "Bearer \(key.dropLast())0", "Bearer \(key.uppercased())x",
        ]
        for text in wrong { #expect(!keys.admits(text), "\(text)") }
        #expect(keys.wrong == 9 && !keys.isBesieged)
        #expect(keys.admits("Bearer \(key)") && keys.wrong == 9)
        #expect(keys.exchange("guess") == .wrong)
        #expect(keys.isBesieged)
    }

    @Test("takes the key of another proxy for no guess")
    func otherProxy() throws {
        let own = Ring(1)
        let key = try Ring(2).key()
        for _ in 0..<20 { #expect(!own.admits("Bearer \(key)")) }
        #expect(own.wrong == 0)
        // What only looks like one counts.
        #expect(!own.admits("Bearer \(key)0") && !own.admits("Basic \(key)"))
        #expect(own.wrong == 2)
    }

    // MARK: Places

    @Test(
        "knows the page's files, the session and the API, and resolves nothing",
        arguments: [
            ("/", .file("/ui/index.html")), ("/app.js", .file("/ui/app.js")), ("/app.css", .file("/ui/app.css")),
            ("/icon.svg", .file("/ui/icon.svg")), ("/favicon.ico", .file("/ui/icon.svg")), ("/session", .session),
            ("/metrics", .api), ("/v1/host", .api), ("/v1/../ui/", .api), ("/v1/", .api), ("/v1", .nothing),
            ("//v1/host", .nothing), ("/./v1/host", .nothing), ("/ui/", .nothing), ("/ui/app.js", .nothing),
            ("/scripts/now.js", .file("/ui/scripts/now.js")), ("/scripts/", .nothing), ("/scripts/.js/", .nothing),
            ("/scripts/../v1/host.js", .nothing), ("/scripts/now.js/x", .nothing), ("/scripts/a%2fb.js", .nothing),
            ("/app.js/", .nothing), ("/APP.JS", .nothing), ("/V1/host", .nothing), ("/session/", .nothing),
            ("/metrics/", .nothing),
            ("/manifest", .manifest), ("/manifest/", .nothing), ("/manifest/check", .manifestCheck),
            ("/manifest/new", .manifestProposal), ("/manifest/../manifest", .nothing), ("/manifests", .nothing),
            ("/../app.js", .nothing), ("", .nothing), ("/v1host", .nothing),
        ] as [(String, PagePlace)])
    func places(_ path: String, _ place: PagePlace) { #expect(PagePlace(path) == place) }
}

/// What a path of the proxy stands for.
package enum PagePlace: Equatable, Sendable {
    /// A file of the page, at this path of the daemon. It holds no data, so it needs no key.
    case file(String)
    /// Where a link's token is exchanged for a key.
    case session
    /// The daemon's API.
    case api
    /// A manifest's text, which the proxy itself reads and writes.
    case manifest
    /// Where a text is checked that is not written yet.
    case manifestCheck
    /// Where a command becomes a text.
    case manifestProposal
    case nothing

    /// - Parameter path: decoded. Nothing in it is resolved: the daemon gets it as it is, and has no place for `..`.
    package init(_ path: String) {
        self =
            switch path {
            case "/": .file("/ui/index.html")
            case "/app.js", "/app.css", "/icon.svg": .file("/ui" + path)
            case _ where Self.isModule(path): .file("/ui" + path)
            case "/favicon.ico": .file("/ui/icon.svg")
            case "/session": .session
            case "/metrics": .api
            case "/manifest": .manifest
            case "/manifest/check": .manifestCheck
            case "/manifest/new": .manifestProposal
            case _ where path.hasPrefix("/v1/"): .api
            default: .nothing
            }
    }

    /// Only who has the key gets anything from there.
    var needsKey: Bool {
        switch self {
        case .api, .manifest, .manifestCheck, .manifestProposal: true
        case .file, .session, .nothing: false
        }
    }

    /// `/scripts/NAME.js`
    private static func isModule(_ path: String) -> Bool {
        guard path.hasPrefix("/scripts/"), path.hasSuffix(".js") else { return false }
        return path.dropFirst("/scripts/".count).dropLast(".js".count).utf8.allSatisfy { (97...122).contains($0) }
    }
}

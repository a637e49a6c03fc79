/// What a path of the proxy stands for.
package enum PagePlace: Equatable, Sendable {
    /// A file of the page, at this path of the daemon. It holds no data, so it needs no key.
    case file(String)
    /// Where a link's token is exchanged for a key.
    case session
    /// The daemon's API.
    case api
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
            case _ where path.hasPrefix("/v1/"): .api
            default: .nothing
            }
    }

    /// `/scripts/NAME.js`
    private static func isModule(_ path: String) -> Bool {
        guard path.hasPrefix("/scripts/"), path.hasSuffix(".js") else { return false }
        return path.dropFirst("/scripts/".count).dropLast(".js".count).utf8.allSatisfy { (97...122).contains($0) }
    }
}

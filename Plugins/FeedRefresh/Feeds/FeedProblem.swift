/// Why a feed was not refreshed. Sentences are for people.
package enum FeedProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The list has an address that is none.
    case badAddress(String)
    case tooLarge(limit: Int)
    case tooSlow(seconds: Int)
    /// The server answered with this status.
    case status(Int)
    case unreachable(String)
    case notXML(line: Int, String)
    /// The root element's name.
    case notAFeed(String)
    case tooDeep
    /// The run has expired.
    case stopped
    case database(String)
    case settings(String)

    package var description: String {
        switch self {
        case .badAddress(let text): "\"\(text)\" is no http or https address; correct the list"
        case .tooLarge(let limit): "longer than \(limit) bytes; raise \"maximumBytes\" in the settings to take it"
        case .tooSlow(let seconds): "not there within \(seconds) s; raise \"timeout\" in the settings to wait longer"
        case .status(let code): "the server answered with status \(code)"
        case .unreachable(let text): text
        case .notXML(let line, let text): "no XML; line \(line): \(text)"
        case .notAFeed(let root): "neither RSS nor Atom; its root element is <\(root)>"
        case .tooDeep: "elements lie deeper than \(FeedLimits.depth) levels"
        case .stopped: "stopped before it was done; the next run continues"
        case .database(let text): text
        case .settings(let text): "settings: \(text)"
        }
    }
}

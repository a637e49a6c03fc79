package import Control
import JSON

// Problems that the proxy finds, before a request reaches the daemon or when none can.
extension Problem {
    static func misdirected(_ host: String, expected: String) -> Problem {
        Problem(
            421, "misdirected", title: "Misdirected request",
            detail: "the request is meant for another host; Host: \(JSONWriter.quoted(host)); ask http://\(expected)")
    }

    static func stranger(_ place: String) -> Problem {
        Problem(
            403, "another-user", title: "Another user",
            detail:
                "this page is of another user of the machine; http://\(place); run taskhost ui as yourself, or ask them for "
                + "taskhost ui --any-user")
    }

    /// - Parameter found: a field of the header.
    static func foreignPage(_ found: String, _ place: String) -> Problem {
        foreign("a page of another origin asks; \(JSONWriter.quoted(found))", place)
    }

    static func noOrigin(_ place: String) -> Problem { foreign("nobody says which page asks; Origin", place) }

    private static func foreign(_ what: String, _ place: String) -> Problem {
        Problem(
            403, "foreign-origin", title: "Foreign origin",
            detail: "\(what); use the page at http://\(place), or control.sock without a browser")
    }

    static func noKey(_ place: String) -> Problem { unauthorized("the request has no key", place) }

    static func wrongKey(_ place: String) -> Problem { unauthorized("this is not the key", place) }

    private static func unauthorized(_ what: String, _ place: String) -> Problem {
        Problem(
            401, "unauthorized", title: "Unauthorized",
            detail: "\(what); \(place), Authorization: Bearer; open a link of taskhost ui",
            headers: ["WWW-Authenticate": "Bearer"])
    }

    static func readOnlyPage(_ place: String) -> Problem {
        Problem(
            403, "read-only", title: "Reading only",
            detail:
                "nothing can be changed here; \(place); use the command line, or run taskhost ui without --read-only "
                + "as a user who may change something")
    }

    static func refusedLink(_ place: String) -> Problem {
        Problem(
            403, "refused-link", title: "Refused link",
            detail: "the link has been used or is too old; \(place); press Enter in its terminal, "
                + "or run taskhost ui again")
    }

    static func badSession(_ found: String) -> Problem {
        .badRequest([Fault(path: "$", found: found, expected: #"{"token": "…"}"#)])
    }

    package static func noSuchManifest(_ path: String) -> Problem {
        Problem(
            404, "no-such-manifest", title: "No such manifest",
            detail: "the daemon has no manifest of this path; \(JSONWriter.quoted(path, limit: 4096)); "
                + "see GET /v1/manifests, or read them again with: taskhost reload")
    }

    static func badAnswer(_ path: String) -> Problem {
        Problem(
            502, "unreachable", title: "The daemon cannot be reached",
            detail: "the daemon's reply is not JSON; \(path); check that both are of one version")
    }

    static func unreachable(_ what: String, _ folder: String) -> Problem {
        Problem(
            502, "unreachable", title: "The daemon cannot be reached",
            detail: "\(what); \(folder); start it with: taskhost serve")
    }

    static func busy(_ folder: String) -> Problem {
        Problem(
            503, "busy", title: "The daemon is busy",
            detail: "the host takes no more connections; \(folder); try again, and see who asks it",
            headers: ["Retry-After": "1"])
    }
}

import JSON

// Problems that the server detects itself, before a route handles the request.
extension Problem {
    static let stopping = Problem(
        503, "stopping", title: "The host is stopping",
        detail: "the host is stopping; control socket; ask again when it serves")
    static let noAccess = Problem(
        403, "no-access", title: "No access", detail: "this user may not use the host; control socket; ask its owner")
    static let tooManyReaders = Problem(
        503, "too-many-readers", title: "Too many readers",
        detail: "too many reading users are connected; control socket; try again when one has disconnected",
        headers: ["Retry-After": "1"])
    static let readOnly = Problem(
        403, "read-only", title: "Reading only",
        detail: "this user may look and change nothing; control socket; ask the host's owner")
    static let unauthorized = Problem(
        401, "unauthorized", title: "Unauthorized",
        detail: "the request has no valid token; Authorization: Bearer; send the token of the host's configuration",
        headers: ["WWW-Authenticate": "Bearer"])
    static let tooManyStreams = Problem(
        503, "too-many-streams", title: "Too many event streams",
        detail: "too many event streams are open; /v1/events; close one", headers: ["Retry-After": "1"])
    static let ambiguousLength = Problem(
        400, "ambiguous-length", title: "Ambiguous length",
        detail: "the body's length is given twice; header; send one Content-Length, or chunked alone",
        // Where the next request begins is as doubtful.
        headers: ["Connection": "close"])

    static func foreignHost(_ host: String) -> Problem {
        Problem(
            403, "foreign-host", title: "Foreign host",
            detail: "the request is meant for another host; Host: \(JSONWriter.quoted(host)); write Host: localhost")
    }

    static func foreignOrigin(_ origin: String) -> Problem {
        Problem(
            403, "foreign-origin", title: "Foreign origin",
            detail: "a page of another origin asks; Origin: \(JSONWriter.quoted(origin)); ask without a browser")
    }

    static func unknownEncoding(_ found: String, expected: String) -> Problem {
        Problem(
            501, "unknown-encoding", title: "Unknown transfer encoding",
            detail:
                "the body is encoded in a way that is not supported; \(JSONWriter.quoted(found)); send it \(expected) "
                + "or with a Content-Length")
    }

    static func unsupportedMedia(_ found: String) -> Problem {
        Problem(
            415, "unsupported-media-type", title: "Unsupported media type",
            detail: "the body is not said to be JSON; \(JSONWriter.quoted(found)); send Content-Type: application/json",
            headers: ["Accept": "application/json"])
    }

    package static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            413, "body-too-large", title: "Body too large",
            detail: "the body is too large; request; send \(limit) bytes at most")
    }

    static func badTarget(_ cause: String) -> Problem {
        Problem(400, "bad-target", title: "Bad target", detail: "\(cause); request line; send an absolute path")
    }

    static func methodNotAllowed(_ name: String, allowed: [ControlRequest.Method]) -> Problem {
        var words = allowed.isEmpty ? ControlRequest.Method.allCases.map(\.rawValue) : allowed.map(\.rawValue)
        if words.contains("GET") { words.append("HEAD") }
        return Problem(
            405, "method-not-allowed", title: "Method not allowed",
            detail: "this cannot be done here; \(JSONWriter.quoted(name)); use \(words.joined(separator: " or "))",
            headers: ["Allow": words.joined(separator: ", ")])
    }

    /// Nothing is at that path.
    package static func noSuchPath(_ path: String) -> Problem {
        Problem(
            404, "no-such-path", title: "No such path",
            detail: "there is nothing at this path; \(JSONWriter.quoted(path, limit: 200)); see /v1/openapi.json")
    }
}

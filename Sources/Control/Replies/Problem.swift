package import JSON

/// Why a request was refused: a document of RFC 9457, in every error reply of this code.
package struct Problem: Error, Sendable, Equatable {
    /// One fault of a request.
    package struct Fault: Sendable, Equatable {
        /// Where: `$.identifier` in the body, `query.limit`, `path.id`.
        package var path: String
        package var found: String
        package var expected: String
        package var hint: String?

        package init(path: String, found: String, expected: String, hint: String? = nil) {
            self.path = path
            self.found = found
            self.expected = expected
            self.hint = hint
        }
    }

    package var status: Int
    /// The kind of problem, for programs: words with hyphens.
    package var type: String
    /// The kind of problem, for display.
    package var title: String
    /// This very case, as a sentence `what; where; what to do`.
    package var detail: String
    /// The framework's number of a submission error; nil for anything else.
    package var code: Int?
    package var errors: [Fault]
    /// Headers that belong to the status, such as Allow.
    package var headers: [String: String]

    package init(
        _ status: Int, _ type: String, title: String, detail: String, code: Int? = nil, errors: [Fault] = [],
        headers: [String: String] = [:]
    ) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.code = code
        self.errors = errors
        self.headers = headers
    }

    /// Type, title, status, detail; code and errors where there are any.
    package var document: JSONOutput {
        var members: [JSONOutput.Member] = [
            .init("type", .string("urn:taskhost:problem:\(type)")), .init("title", .string(title)),
            .init("status", JSONOutput(status as Int?)), .init("detail", .string(detail)),
        ]
        if let code { members.append(.init("code", JSONOutput(code as Int?))) }
        if !errors.isEmpty {
            members.append(
                .init(
                    "errors",
                    .array(
                        errors.map {
                            .object([
                                "path": .string($0.path), "found": .string($0.found), "expected": .string($0.expected),
                                "hint": JSONOutput($0.hint),
                            ])
                        })))
        }
        return .object(members)
    }
}

extension ControlReply {
    /// The reply for a problem.
    package static func problem(_ problem: Problem) -> ControlReply {
        ControlReply(
            status: problem.status, contentType: "application/problem+json", body: problem.document.bytes(),
            headers: problem.headers.map { ($0.key, $0.value) })
    }

    package static func json(_ document: JSONOutput, status: Int = 200) -> ControlReply {
        ControlReply(status: status, contentType: "application/json", body: document.bytes())
    }

    package static func file(_ file: ReplyFile, contentType: String) -> ControlReply {
        var reply = ControlReply(status: 200, contentType: contentType, body: [])
        reply.file = file
        return reply
    }

    package static func text(_ bytes: [UInt8]) -> ControlReply {
        ControlReply(status: 200, contentType: "text/plain; charset=utf-8", body: bytes)
    }
}

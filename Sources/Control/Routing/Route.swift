/// One route of the API: its request, and its reply.
package struct Route: Sendable {
    /// A parameter of the query.
    package struct Parameter: Sendable {
        package var name: String
        package var schema: Schema
        package var summary: String

        package init(_ name: String, _ schema: Schema, _ summary: String) {
            self.name = name
            self.schema = schema
            self.summary = summary
        }
    }

    /// The contents of a successful reply.
    package enum Reply: Sendable {
        case json(Schema)
        case text
        /// A document, if the query has this parameter, else text.
        case textOrJSON(parameter: String, Schema)
        /// Metrics, in the form that the client takes.
        case metrics
        case events
        /// A file of that type.
        case file(String)
    }

    /// A verb and a noun, such as `submitRequest`: the operation's id.
    package var name: String
    package var method: ControlRequest.Method
    package var pattern: PathPattern
    package var summary: String
    package var query: [Parameter]
    /// nil: a body is refused.
    package var body: Schema?
    package var status: Int
    package var reply: Reply
    /// Statuses of problems that are this route's own; those of every request come with the document.
    package var problems: [Int]
    /// It changes nothing: readers may use it.
    package var isForReaders: Bool

    package init(
        _ name: String, _ method: ControlRequest.Method, _ pattern: PathPattern, summary: String,
        query: [Parameter] = [], body: Schema? = nil, status: Int = 200, reply: Reply, problems: [Int] = [],
        isForReaders: Bool? = nil
    ) {
        self.name = name
        self.method = method
        self.pattern = pattern
        self.summary = summary
        self.query = query
        self.body = body
        self.status = status
        self.reply = reply
        self.problems = problems
        self.isForReaders = isForReaders ?? (method == .get)
    }

    /// The schema of its documents; nil: it has none.
    package var schema: Schema? {
        switch reply {
        case .json(let schema), .textOrJSON(_, let schema): schema
        case .text, .metrics, .events, .file: nil
        }
    }

    /// The path, with the value of its parameter.
    package func path(_ id: String) -> String { pattern.description.replacing("{id}", with: id) }
}

/// A path with named segments, such as `/v1/tasks/{id}/why`.
package struct PathPattern: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable {
        case literal(String)
        case parameter(String)
    }

    package let description: String
    let segments: [Segment]

    package init(stringLiteral text: String) {
        description = text
        segments = text.split(separator: "/").map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
    }

    /// Names of the segments that vary.
    package var parameters: [String] {
        segments.compactMap {
            if case .parameter(let name) = $0 { name } else { nil }
        }
    }
}

package import JSON
package import TaskModel

/// A request as a route gets it, checked against the route's table, and the way to answer it once.
package final class Exchange {
    package let request: ControlRequest
    package var peer: Peer { request.peer }
    /// Values of the path's parameters.
    private let path: [String: String]
    /// The query and the body; both fit the route's schemas.
    package let query: Fields
    package let body: Fields
    private let status: Int
    private let answer: (ControlReply) -> Void

    init(
        _ request: ControlRequest, status: Int, path: [String: String], query: Fields, body: Fields,
        answer: @escaping (ControlReply) -> Void
    ) {
        self.request = request
        self.status = status
        self.path = path
        self.query = query
        self.body = body
        self.answer = answer
    }

    /// The value of a path's parameter.
    package subscript(name: String) -> String {
        guard let value = path[name] else { preconditionFailure("the route's path has no parameter \(name)") }
        return value
    }

    // MARK: Answering: exactly once, now or later

    /// Answers with a document and the status of the route's table.
    package func reply(_ document: JSONOutput) { answer(.json(document, status: status)) }
    /// The same for a document that is written already, in parts.
    package func reply(json parts: [[UInt8]]) {
        answer(ControlReply(status: status, contentType: "application/json", parts: parts))
    }
    package func reply(_ parts: [[UInt8]], contentType: String) {
        answer(ControlReply(status: status, contentType: contentType, parts: parts))
    }
    package func reply(text bytes: [UInt8]) { answer(.text(bytes)) }
    package func reply(file: ReplyFile, contentType: String) { answer(.file(file, contentType: contentType)) }
    package func refuse(_ problem: Problem) { answer(.problem(problem)) }

    /// Values by name. An absent value, or null, is nil.
    package struct Fields {
        let values: JSONValue

        package subscript(name: String) -> JSONValue? {
            guard let value = values[name] else { return nil }
            if case .null = value.content { return nil }
            return value
        }

        package func text(_ name: String) -> String? { self[name]?.string }
        package func bool(_ name: String) -> Bool? { self[name]?.bool }
        package func integer(_ name: String) -> Int? { self[name]?.integer.map { Int($0) } }
        package func texts(_ name: String) -> [String]? { self[name]?.array?.compactMap(\.string) }
        package func timestamp(_ name: String) -> Timestamp? { text(name).flatMap { Timestamp(iso8601: $0) } }
        /// From base 64.
        package func bytes(_ name: String) -> [UInt8]? { text(name).flatMap { Base64.decode($0) } }
        /// The members of an object of texts, in their order.
        package func members(_ name: String) -> [JSONMember]? { self[name]?.object }
        /// All names that are there, in their order.
        package var names: [String] { values.object?.map(\.key) ?? [] }
    }
}

/// One field of a request or of an answer.
package struct HTTPHeader: Sendable, Equatable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// Replaces the request's own value.
    package mutating func setAuthorization(_ value: String) {
        removeAll { $0.name.lowercased() == "authorization" }
        append(HTTPHeader("Authorization", value))
    }
}

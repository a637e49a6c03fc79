import JSON

/// The path of a value in a document, such as `$.tasks["com.example.x"].budget`.
package struct JSONPath: Sendable, Equatable, CustomStringConvertible {
    package private(set) var description: String

    /// The document itself.
    package static let root = JSONPath(description: "$")

    /// The member of this object under a key.
    package func member(_ key: String) -> JSONPath {
        let isWord =
            key.utf8.first.map { $0 == UInt8(ascii: "$") || ASCII.isLetter($0) } == true
            && key.utf8.dropFirst().allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
            && key.utf8.count <= 64
        return JSONPath(description: description + (isWord ? ".\(key)" : "[\(JSONWriter.quoted(key, limit: 255))]"))
    }

    /// The element of this array at an index from 0.
    package func element(_ index: Int) -> JSONPath { JSONPath(description: "\(description)[\(index)]") }
}

package import JSON
package import TaskModel

// Members of a document, by their keys; nil for one that is missing or something else.
extension JSONValue {
    /// A time in ISO 8601.
    package func time(_ key: String) -> Timestamp? { self[key]?.string.flatMap { Timestamp(iso8601: $0) } }

    /// A length in seconds; none is longer than a hundred years: an Int64 of nanoseconds would overflow.
    package func span(_ key: String) -> TimeSpan? {
        self[key]?.double.map { TimeSpan(nanoseconds: Int64((min(max($0, 0), 3e9) * 1e9).rounded())) }
    }

    /// A case by its name; nil also for one that only another version knows.
    func word<Word: NamedCases>(_ key: String, _: Word.Type = Word.self) -> Word? {
        self[key]?.string.flatMap { Word(name: $0) }
    }

    func number<Number: FixedWidthInteger>(_ key: String, _: Number.Type = Number.self) -> Number? {
        self[key]?.integer.flatMap { Number(exactly: $0) }
    }

    func texts(_ key: String) -> [String] { self[key]?.array?.compactMap(\.string) ?? [] }

    /// A run's id.
    package func id(_ key: String) -> ULID? { self[key]?.string.flatMap { ULID($0) } }
}

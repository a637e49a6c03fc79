/// The identifiers that a task identifier ending in `.*` matches: the one rule of manifests, hosts and workers. The SDK,
/// which uses only the public header, has the same rule in `Permitted.matches`.
package enum IdentifierPattern {
    /// Whether it is a pattern.
    package static func isOne(_ identifier: String) -> Bool { identifier.hasSuffix(".*") }

    /// Whether the identifier is the pattern with one further part in place of `*`: `com.example.export.7` for
    /// `com.example.export.*`, and neither `com.example.export` nor `com.example.export.7.a`. A pattern does not stand for
    /// itself, nor for another one.
    package static func stands(_ pattern: String, for identifier: String) -> Bool {
        guard isOne(pattern) else { return false }
        let prefix = pattern.utf8.dropLast()
        guard identifier.utf8.starts(with: prefix) else { return false }
        let part = identifier.utf8.dropFirst(prefix.count)
        return !part.isEmpty && !part.contains(UInt8(ascii: ".")) && part.first != UInt8(ascii: "*")
    }

    /// The pattern that matches the identifier; nil: it has no part to replace, or is a pattern itself.
    package static func pattern(for identifier: String) -> String? {
        guard !isOne(identifier), let dot = identifier.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let pattern = String(identifier[..<dot]) + ".*"
        return stands(pattern, for: identifier) ? pattern : nil
    }
}

package import JSON

/// One fault of a file, for its author.
package struct Diagnostic: Sendable, Equatable {
    package enum Severity: String, Sendable {
        /// The file cannot be used.
        case error
        /// The file can be used, but probably not with the intended effect.
        case warning
        /// The file can be used, but not the task. An error for a check of the file, a warning for a host that loads
        /// it.
        case futile
    }

    package var severity: Severity
    /// The file as it was named to us.
    package var file: String
    package var position: SourcePosition
    /// Such as `$.tasks["com.example.x"].budget.wallClock`; `$` for the file as a whole.
    package var path: String
    /// The text found there: short, escaped, on one line.
    package var found: String
    /// What would be right.
    package var expected: String
    /// What to do, where that is not plain.
    package var hint: String?

    package init(
        severity: Severity = .error, file: String, position: SourcePosition, path: String, found: String,
        expected: String, hint: String? = nil
    ) {
        self.severity = severity
        self.file = file
        self.position = position
        self.path = path
        self.found = found
        self.expected = expected
        self.hint = hint
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `file:line:column: path: found …; expected …; hint`; a warning says so before its path.
    package var description: String {
        "\(Self.display(file)):\(position.line):\(position.column): "
            + (severity == .error ? "" : "warning: ")
            + "\(path): found \(found); expected \(expected)"
            + (hint.map { "; \($0)" } ?? "")
    }

    /// The stricter form for a check of a file.
    package var strict: Self {
        var strict = self
        if severity == .futile { strict.severity = .error }
        return strict
    }

    /// Whether a description, such as one that a host sent, is that of a warning.
    package static func isWarning(_ description: String) -> Bool {
        // The first position belongs to the file; the found text follows it.
        description.firstMatch(of: /:\d+:\d+: (warning: )?/)?.output.1 != nil
    }

    /// A file's name for a message: quoted and escaped only when it contains control characters.
    static func display(_ file: String) -> String {
        file.utf8.contains(where: ASCII.isControl) ? JSONWriter.quoted(file, limit: 4096) : file
    }
}

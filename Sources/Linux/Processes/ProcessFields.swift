/// The lines of `/proc/PID/status` by their names (proc_pid_status(5)): of each its first word.
package struct ProcessFields {
    private let fields: [Substring: Substring]

    /// nil: there is no such process, or /proc is missing.
    ///
    /// - Parameter pid: its number, or `self`.
    package init?(of pid: some CustomStringConvertible) {
        guard let text = try? FileText.read("/proc/\(pid)/status") else { return nil }
        var fields: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count >= 2 { fields[words[0].dropLast()] = words[1] }
        }
        self.fields = fields
    }

    package subscript(name: Substring) -> Substring? { fields[name] }
}

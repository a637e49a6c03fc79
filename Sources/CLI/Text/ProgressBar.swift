import JSON

/// How far a run is, in one line.
enum ProgressBar {
    private static let cells = 24

    /// Such as `com.example.export [########----------------] 33 % frame 40 of 120`. A run with an unknown total gets no
    /// bar.
    static func text(_ name: String, completed: Int64, total: Int64, note: String) -> String {
        guard let share = share(completed, of: total) else { return "\(name)  \(completed)  \(note)" }
        return "\(name)  \(bar(share, cells: cells))  \(percent(share))" + (note.isEmpty ? "" : "  \(note)")
    }

    /// Such as `[########------------]`.
    static func bar(_ share: Int, cells: Int) -> String {
        let filled = share * cells / 100
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "]"
    }

    /// Such as ` 40 %`, in five columns.
    static func percent(_ share: Int) -> String {
        String(repeating: " ", count: share < 10 ? 2 : share < 100 ? 1 : 0) + "\(share) %"
    }

    /// From an event or a document of the control API, with its text after the bar.
    static func text(_ name: String, _ progress: JSONValue) -> String {
        text(
            name, completed: progress["completed"]?.integer ?? 0, total: progress["total"]?.integer ?? 0,
            note: note(progress))
    }

    /// The bar, its text, and both numbers: `[########------------] 33 %  Export: frames  40 of 120`.
    static func counted(_ progress: JSONValue) -> String {
        let total = progress["total"]?.integer ?? 0
        let text = text("", progress).trimmingPrefix("  ")
        return total > 0 ? "\(text)  \(progress["completed"]?.integer ?? 0) of \(total)" : String(text)
    }

    /// Such as `Export: 40 of 120`.
    static func note(_ progress: JSONValue) -> String {
        let parts = ["title", "subtitle", "text"].compactMap { progress[$0]?.string }.filter { !$0.isEmpty }
        return parts.joined(separator: ": ")
    }

    /// Percent, 0 to 100; nil if unknown.
    static func share(_ completed: Int64, of total: Int64) -> Int? {
        guard total > 0 else { return nil }
        return Int((Double(min(max(completed, 0), total)) / Double(total) * 100).rounded(.down))
    }
}

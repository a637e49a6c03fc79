/// How far a run is, in one line.
enum ProgressBar {
    private static let cells = 24

    /// Such as `com.example.export  [########----------------]  33 %  frame 40 of 120`. A run that does not say how much there
    /// is to do gets no bar.
    static func text(_ name: String, completed: Int64, total: Int64, note: String) -> String {
        guard let share = share(completed, of: total) else { return "\(name)  \(completed)  \(note)" }
        let filled = share * cells / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        let percent = String(repeating: " ", count: share < 10 ? 2 : share < 100 ? 1 : 0) + "\(share) %"
        return "\(name)  [\(bar)]  \(percent)" + (note.isEmpty ? "" : "  \(note)")
    }

    /// Percent, 0 to 100; nil when nobody knows.
    static func share(_ completed: Int64, of total: Int64) -> Int? {
        guard total > 0 else { return nil }
        return Int((Double(min(max(completed, 0), total)) / Double(total) * 100).rounded(.down))
    }
}

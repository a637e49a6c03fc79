import Serving
import TaskModel

/// Limits that were not enforced for runs, in words.
enum DegradedText {
    /// A line for each limit, with the tasks it concerns.
    static func lines(_ runs: [RunRecord]) -> [String] {
        let names = Set(runs.flatMap(\.degraded)).sorted()
        // `network` summarizes the names below it.
        let told = names.filter { name in !names.contains { $0.hasPrefix(name + ".") } }
        return told.map { name in
            let tasks = Set(runs.filter { $0.degraded.contains(name) }.map(\.identifier)).sorted()
            let more = tasks.count > mostNamed ? " and \(tasks.count - mostNamed) more" : ""
            return
                "degraded: \(name); \(tasks.prefix(mostNamed).joined(separator: ", "))\(more); \(DegradedLimit.advice(on: name))"
        }
    }

    private static let mostNamed = 3
}

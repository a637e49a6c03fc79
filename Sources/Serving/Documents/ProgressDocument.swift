import Host
import JSON
import Wire

/// A run's progress in events and the control API.
enum ProgressDocument {
    static func members(_ progress: RunProgress) -> [JSONOutput.Member] {
        [
            .init("completed", .integer(progress.report.completed)), .init("total", .integer(progress.report.total)),
            .init("text", .string(progress.report.text)), .init("title", JSONOutput(progress.titles?.title)),
            .init("subtitle", JSONOutput(progress.titles?.subtitle)),
        ]
    }
}

import Control
import JSON

/// Manifests, and tasks of them, that a host does not use.
struct UnusedWork {
    private var items: [JSONOutput] = []
    /// A line for each, with what would be right.
    private(set) var lines: [String] = []

    /// A host of an earlier version names no tasks.
    init(of client: any HostClient) throws(Failure) {
        for manifest in try client.documentIfThere(.listManifests, "")?["manifests"]?.array ?? [] {
            let (path, application) = (manifest["path"]?.string, manifest["application"]?.string)
            func add(_ task: String?, _ fault: String) {
                lines.append("not used: \(task.map { "\($0): " } ?? "")\(fault)")
                items.append([
                    "manifest": JSONOutput(path), "application": JSONOutput(application), "task": JSONOutput(task),
                    "fault": .string(fault),
                ])
            }
            if manifest["isUsed"]?.bool == false {
                add(nil, manifest["faults"]?.array?.compactMap(\.string).first ?? path ?? "")
            }
            for task in manifest["unusedTasks"]?.array ?? [] {
                add(task["identifier"]?.string, task["fault"]?.string ?? "")
            }
        }
    }

    /// For `--json`.
    var document: JSONOutput { .array(items) }

    /// Lines that a person reads.
    private static let mostLines = 20

    /// The first lines, and the number of the others.
    var shownLines: [String] {
        let rest = lines.count - Self.mostLines
        return lines.prefix(Self.mostLines) + (rest > 0 ? ["not used: \(rest) more; taskhost list --json"] : [])
    }
}

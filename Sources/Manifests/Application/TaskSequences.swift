import JSON
import TaskModel

/// The tasks of one manifest that run because of others: `after`, `onFailure` and `onOutput`.
struct TaskSequences {
    private let tasks: [String: TaskDefinition]

    /// What gets output may start nothing: it could print to itself.
    private let readers: Set<String>

    init(_ tasks: [TaskDefinition]) {
        readers = Set(tasks.compactMap(\.onOutput))
        self.tasks = Dictionary(tasks.map { ($0.identifier, $0) }) { first, _ in first }
    }

    /// Notes names that are no task's, and cycles.
    func check(_ node: DocumentNode?, _ document: inout DocumentReader) {
        guard let node, case .object(let members) = node.value.content else { return }
        for member in members {
            guard let task = tasks[member.key] else { continue }
            let path = node.path.member(member.key)
            if let place = member.value["after"], let name = task.after {
                let node = DocumentNode(place, at: path.member("after"))
                if isKnown(name, node, &document), isCycle(from: task) {
                    document.refuse(
                        node, expected: "a task that does not come after this one itself",
                        hint: "begin the sequence with a schedule or a request")
                } else if readers.contains(name) {
                    document.refuse(
                        node, expected: "a task that is nobody's \"onOutput\"",
                        hint: "come after the task that prints, or let it start nothing")
                }
            }
            if let place = member.value["onOutput"], place.string != nil, let name = task.onOutput {
                let node = DocumentNode(place, at: path.member("onOutput"))
                if isKnown(name, node, &document), let other = tasks[name],
                    other.onOutput != nil || other.onFailure != nil || name == task.identifier
                {
                    document.refuse(
                        node, expected: "a task without \"onOutput\" and \"onFailure\" of its own",
                        hint: "what this one prints is in the log of its run alone")
                }
            }
            if let node = Self.named(member.value["onFailure"], at: path.member("onFailure")),
                let name = task.onFailure
            {
                if isKnown(name, node, &document), let other = tasks[name],
                    other.onFailure != nil || other.webhook != nil || name == task.identifier
                {
                    document.refuse(
                        node, expected: "a task without an \"onFailure\" of its own",
                        hint: "failures of what answers a failure are in the record alone")
                }
            }
        }
    }

    /// Where a task is named, by itself or as `do` of an object.
    private static func named(_ value: JSONValue?, at path: JSONPath) -> DocumentNode? {
        guard let value else { return nil }
        if value.string != nil { return DocumentNode(value, at: path) }
        return value["do"].flatMap { $0.string == nil ? nil : DocumentNode($0, at: path.member("do")) }
    }

    private func isKnown(_ name: String, _ node: DocumentNode, _ document: inout DocumentReader) -> Bool {
        guard let other = tasks[name], !other.isWildcard, other.kind != .continuedProcessing else {
            document.refuse(node, expected: "a task of this manifest that a request can start in the background")
            return false
        }
        return true
    }

    private func isCycle(from task: TaskDefinition) -> Bool {
        var seen: Set = [task.identifier]
        var next = task.after
        while let name = next {
            // A cycle further on is another task's fault.
            guard seen.insert(name).inserted else { return name == task.identifier }
            next = tasks[name]?.after
        }
        return false
    }
}

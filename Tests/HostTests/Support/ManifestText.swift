import Foundation
import TestSupport

/// A manifest that a test writes, or changes.
struct ManifestText {
    private(set) var members: [String: Any]

    var identifier: String { members["identifier"] as? String ?? "" }
    /// The identifiers of its tasks, sorted.
    var tasks: [String] { (members["tasks"] as? [String: Any] ?? [:]).keys.sorted() }

    /// Library that has to be beside it.
    private(set) var companion: URL?

    init(members: [String: Any]) { self.members = members }

    init(file: URL) throws {
        guard let members = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] else {
            throw Problem("\(file.path) is no object")
        }
        self.members = members
    }

    /// One of those beside the built fixtures, such as `hostile.spin`.
    init(fixture name: String) throws {
        let folder = try Places.built.get()
        try self.init(file: folder.appending(path: "\(name).json"))
        companion = (members["library"] as? String).map { folder.appending(path: $0) }
    }

    /// An application of the fixture `stage.c`: its tasks are called `<identifier>.<word>`.
    ///
    /// - Parameter handlers: word and symbol of each task.
    init(stage identifier: String, _ handlers: [String: String], wallClock: String = "60s", grace: String = "30s")
        throws
    {
        members = [
            "identifier": identifier, "library": try Places.built.get().appending(path: "libstage.so").path,
            "tasks": [String: Any](
                uniqueKeysWithValues: handlers.map { word, symbol in
                    (
                        "\(identifier).\(word)",
                        [
                            "kind": "processing", "handler": symbol,
                            "budget": ["wallClock": wallClock, "grace": grace],
                        ] as [String: Any]
                    )
                }),
        ]
    }

    /// An application of one foreign function, whose task bears its name.
    init(foreign identifier: String, _ handler: [String: Any], budget: [String: String], read: [String] = []) {
        members = [
            "identifier": identifier,
            "tasks": [identifier: ["kind": "processing", "handler": handler, "budget": budget] as [String: Any]],
            "permissions": ["read": read],
        ]
    }

    subscript(key: String) -> Any? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// The same with another value.
    func with(_ key: String, _ value: Any) -> ManifestText {
        var changed = self
        changed[key] = value
        return changed
    }

    /// Changes one task's budget.
    mutating func setBudget(of task: String, _ budget: [String: String]) { setTask(task, "budget", budget) }

    /// Sets a key of one task.
    mutating func setTask(_ task: String, _ key: String, _ value: Any) {
        var tasks = members["tasks"] as? [String: [String: Any]] ?? [:]
        tasks[task]?[key] = value
        members["tasks"] = tasks
    }

    mutating func addTask(_ task: String, _ description: [String: Any]) {
        var tasks = members["tasks"] as? [String: [String: Any]] ?? [:]
        tasks[task] = description
        members["tasks"] = tasks
    }

    mutating func removeTask(_ task: String) {
        var tasks = members["tasks"] as? [String: [String: Any]] ?? [:]
        tasks[task] = nil
        members["tasks"] = tasks
    }

    var data: Data {
        get throws { try JSONSerialization.data(withJSONObject: members, options: [.prettyPrinted, .sortedKeys]) }
    }
}

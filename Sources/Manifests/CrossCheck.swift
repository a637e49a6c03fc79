import JSON
import TaskModel

/// Conflicts between several manifests.
package struct CrossCheck {
    /// The position of each application's identifier.
    private var applications = SplitTable<String>()
    private var tasks = TaskClaims()

    package init() {}

    /// Reports two manifests with one application identifier, and a task identifier that two applications claim.
    ///
    /// The first manifest in the given order keeps its claims; each diagnostic is about a later one and names the
    /// first. Manifests with errors of their own are skipped.
    package static func conflicts(among results: [ManifestResult]) -> [Diagnostic] {
        var check = CrossCheck()
        return results.flatMap { check.add($0) }
    }

    /// The same for the next manifest in order.
    package mutating func add(_ result: ManifestResult) -> [Diagnostic] {
        guard let application = result.application else { return [] }
        if let first = applications[application.identifier] {
            // Its tasks would be reported again one by one.
            return [
                Diagnostic(
                    file: result.file, position: result.places.identifier,
                    path: JSONPath.root.member("identifier").description,
                    found: "\"\(application.identifier)\", which \(first) has too",
                    expected: "an identifier that no other manifest has")
            ]
        }
        applications[application.identifier] = Self.place(result.file, result.places.identifier)
        var diagnostics: [Diagnostic] = []
        for task in result.places.tasks {
            let claim = TaskClaims.Claim(
                application: application.identifier, identifier: task.identifier,
                place: Self.place(result.file, task.position))
            guard let first = tasks.add(claim) else { continue }
            let words = first.identifier == task.identifier ? "" : " as \"\(first.identifier)\""
            diagnostics.append(
                Diagnostic(
                    file: result.file, position: task.position,
                    path: JSONPath.root.member("tasks").member(task.identifier).description,
                    found: "\"\(task.identifier)\", which \(first.place) has too\(words)",
                    expected: "a task identifier that no other application has"))
        }
        return diagnostics
    }

    /// Releases a part of the added data, so that the end of a very large check is as short as its steps. False: nothing is
    /// left, and another check may begin.
    package mutating func dropPart() -> Bool { applications.dropPart() || tasks.dropPart() }

    private static func place(_ file: String, _ position: SourcePosition) -> String {
        "\(Diagnostic.display(file)):\(position.line)"
    }
}

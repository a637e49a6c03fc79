import JSON
import TaskModel

/// Faults that only show when several manifests stand beside each other.
package enum CrossCheck {
    /// Reports two manifests with one application identifier, and a task identifier that two applications claim.
    ///
    /// The first manifest in the given order keeps what it claims; each diagnostic is about a later one and names the
    /// first. Manifests with errors of their own are left out.
    package static func conflicts(among results: [ManifestResult]) -> [Diagnostic] {
        var applications: [String: String] = [:]
        var tasks = TaskClaims()
        var diagnostics: [Diagnostic] = []
        for result in results {
            guard let application = result.application else { continue }
            if let first = applications[application.identifier] {
                diagnostics.append(
                    Diagnostic(
                        file: result.file, position: result.places.identifier,
                        path: JSONPath.root.member("identifier").description,
                        found: "\"\(application.identifier)\", which \(first) has too",
                        expected: "an identifier that no other manifest has"))
                // Its tasks would be reported again one by one.
                continue
            }
            applications[application.identifier] = place(result.file, result.places.identifier)
            let path = JSONPath.root.member("tasks")
            for task in result.places.tasks {
                let claim = TaskClaims.Claim(
                    application: application.identifier, identifier: task.identifier,
                    place: place(result.file, task.position))
                guard let first = tasks.add(claim) else { continue }
                let words = first.identifier == task.identifier ? "" : " as \"\(first.identifier)\""
                diagnostics.append(
                    Diagnostic(
                        file: result.file, position: task.position,
                        path: path.member(task.identifier).description,
                        found: "\"\(task.identifier)\", which \(first.place) has too\(words)",
                        expected: "a task identifier that no other application has"))
            }
        }
        return diagnostics
    }

    private static func place(_ file: String, _ position: SourcePosition) -> String {
        "\(Diagnostic.display(file)):\(position.line)"
    }
}

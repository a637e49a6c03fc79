import JSON
import Manifests
import TaskModel

/// Builds manifests for tests.
enum ManifestText {
    /// A manifest with one task whose members are `task`; `extra` are further members of the root.
    static func with(task: String = #""kind": "appRefresh""#, extra: String = #""library": "libA.so""#) -> String {
        let members = extra.isEmpty ? "" : ", " + extra
        return #"{"identifier": "com.example.a", "tasks": {"com.example.a.t": {\#(task)}}\#(members)}"#
    }

    static func decode(_ text: String, path: String = "m.json") -> ManifestResult {
        ManifestDecoder.decode(bytes: Array(text.utf8), path: path, folder: "/etc/m", profile: .modern)
    }

    /// The task of a manifest that must be good.
    static func task(_ members: String) -> TaskDefinition? { decode(with(task: members)).application?.tasks.first }

    /// The messages of a manifest without `file:line:column: `.
    static func messages(_ text: String) -> [String] {
        decode(text).diagnostics.map { diagnostic in
            var copy = diagnostic
            copy.file = ""
            copy.position = .start
            return String(copy.description.dropFirst(":1:1: ".count))
        }
    }
}

/// A file whose text a run is given, and nothing else learns.
package struct TaskSecret: Sendable, Equatable {
    /// How the handler asks for it.
    package var name: String
    /// Absolute, or beginning with `$MANIFEST`.
    package var path: String

    package init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}

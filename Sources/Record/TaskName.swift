/// A task as the record names it: one identifier may belong to several applications, one after the other.
package struct TaskName: Sendable, Hashable {
    package var identifier: String
    package var application: String

    package init(_ identifier: String, of application: String) {
        self.identifier = identifier
        self.application = application
    }
}

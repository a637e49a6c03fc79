/// Numbers of the record's names, one for each kind.
package struct NameNumbers: Sendable, Equatable {
    package var application: Int64
    package var task: Int64
    package var setup: Int64

    package init(application: Int64, task: Int64, setup: Int64) {
        self.application = application
        self.task = task
        self.setup = setup
    }
}

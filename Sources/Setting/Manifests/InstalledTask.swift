package import TaskModel

/// A task in the host.
package struct InstalledTask {
    package var definition: TaskDefinition
    package let application: ApplicationIndex
    /// Its place in its application's manifest, which identifies it for a worker.
    package var place: UInt32
    /// Its number in the record.
    package let row: Int64
    /// Its manifest was removed, or no longer has it.
    package var isRemoved = false

    package init(definition: TaskDefinition, application: ApplicationIndex, place: UInt32, row: Int64) {
        self.definition = definition
        self.application = application
        self.place = place
        self.row = row
    }
}

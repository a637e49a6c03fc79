package import TaskModel

/// A task in the host.
package struct InstalledTask {
    package var definition: TaskDefinition
    package let application: ApplicationIndex
    /// Its place in its application's manifest, which identifies it for a worker.
    var place: UInt32
    /// Its number in the record.
    let row: Int64
    /// Its manifest was removed, or no longer has it.
    package var isRemoved = false
}

package import TaskModel

/// A task as the host holds it.
package struct InstalledTask {
    package var definition: TaskDefinition
    package let application: ApplicationIndex
    /// Its place in its application's manifest, by which a worker knows it.
    var place: UInt32
    /// Its number in the record.
    let row: Int64
    /// Its manifest is gone, or no longer has it.
    package var isRemoved = false
}

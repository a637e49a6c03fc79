/// The conditions that work waits for. Watching them costs wake-ups, so they are watched only while they are needed.
package struct Interest: Hashable, Sendable {
    /// Work is due or running that minds how busy the processors are.
    package var cpu = false
    /// Work that depends on free memory is due or running, or a suspended application may have to end.
    package var memory = false
    /// Pending work waits for an idle machine.
    package var idleness = false

    package init(cpu: Bool = false, memory: Bool = false, idleness: Bool = false) {
        self.cpu = cpu
        self.memory = memory
        self.idleness = idleness
    }
}

/// What somebody waits for. Watching it costs wake-ups, so that it is watched only while somebody does.
package struct Interest: Hashable, Sendable {
    /// Work is due or running that minds how busy the processors are.
    package var cpu = false
    /// Work is due or running that minds how short memory is, or an application is suspended that may have to make room.
    package var memory = false
    /// Work is pending that waits until nobody uses the machine.
    package var idleness = false

    package init(cpu: Bool = false, memory: Bool = false, idleness: Bool = false) {
        self.cpu = cpu
        self.memory = memory
        self.idleness = idleness
    }
}

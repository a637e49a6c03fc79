/// What somebody waits for. Watching it costs wake-ups, so that it is watched only while somebody does.
package struct Interest: Hashable, Sendable {
    /// Work is pending or running that minds how busy processors and memory are.
    package var pressure = false
    /// Work is pending that waits until nobody uses the machine.
    package var idleness = false

    package init(pressure: Bool = false, idleness: Bool = false) {
        self.pressure = pressure
        self.idleness = idleness
    }
}

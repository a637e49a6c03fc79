import Conditions
import Linux
import Scheduling
package import Setting
package import TaskModel

/// Sets the condition `window` by the configuration: at each edge, and when the clocks were set or the time zones changed.
/// Nothing is polled. Thread: the loop's.
package final class WindowWatch: TimedSource {
    private let definitions: [WindowDefinition]
    private let zones: TimeZones
    private let decider: Decider
    private let device: Device
    private var windows: WorkWindows?
    /// nil: windows are no longer watched.
    private var alarm: WindowAlarm?

    package init(_ definitions: [WindowDefinition], _ zones: TimeZones, _ decider: Decider, _ device: Device) {
        self.definitions = definitions
        self.zones = zones
        self.decider = decider
        self.device = device
        renew()
    }

    /// Uses the present rules of the time zones. Rules of a removed zone stay.
    package func renew() {
        windows = WorkWindows(definitions, zone: zones.rules) ?? windows
        look()
    }

    private func look() {
        guard let windows else { return }
        alarm = WindowAlarm(windows, at: decider.now.time)
        device.setWindows(windows)
    }

    // MARK: EventSource

    /// By the present clocks: they may have been set since the last computation.
    var nextDeadline: Instant { alarm?.deadline(at: decider.now) ?? .distantFuture }

    func advance(to now: ClockReading) { look() }
    func close() { alarm = nil }
}

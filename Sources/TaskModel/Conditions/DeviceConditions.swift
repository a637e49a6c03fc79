/// The scheduler's data about the machine and its user. Every part may be unknown, when it has no source.
package struct DeviceConditions: Hashable, Sendable, BitwiseCopyable {
    /// The machine runs on mains. A machine with neither battery nor mains counts as powered.
    package var externalPower = Tristate.unknown
    /// Charge in percent; nil: no battery, or unknown.
    package var batteryLevel: UInt8?
    /// The user asked the machine to save power.
    package var lowPowerMode = Tristate.unknown
    package var network = NetworkAccess.unknown
    /// The user is active.
    package var userActive = Tristate.unknown
    /// Other processes need the processors, or the memory (PSI).
    package var cpuPressure = Tristate.unknown
    package var memoryPressure = Tristate.unknown
    package var thermal = ThermalState.unknown
    /// The user allows background refresh: the switch of iOS's settings. On unless the user turns it off.
    package var backgroundRefresh = Tristate.yes
    /// The machine has been unlocked since it started. Linux has no such lock: true unless it is overridden.
    package var unlocked = Tristate.yes

    /// The file system of the state folder is nearly full. The host sees to it itself.
    package var diskLow = Tristate.no
    /// At least this many bytes are free; the largest number: enough for every request.
    package var freeSpace = UInt64.max

    /// The machine is about to sleep, or sleeps, or the user wants the host to act as if it did.
    package var isAsleep = Tristate.no
    /// No window of the configuration is open for work that may wait.
    package var windowClosed = Tristate.no
    /// When that changes without an event; nil: never, or it is overridden.
    package var windowEdge: Timestamp?

    package init() {}

    /// No condition blocks anything: on mains, online, and idle.
    package static var quiet: DeviceConditions {
        var conditions = DeviceConditions()
        conditions.externalPower = .yes
        conditions.lowPowerMode = .no
        conditions.network = .ok
        conditions.userActive = .no
        conditions.cpuPressure = .no
        conditions.memoryPressure = .no
        conditions.thermal = .nominal
        return conditions
    }
}

/// A question about the machine, answered.
package enum Tristate: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case unknown = 0
    case no = 1
    case yes = 2

    package init(_ known: Bool) { self = known ? .yes : .no }
}

/// The quality of the network. Ordered: a requirement is also met by a better state.
package enum NetworkAccess: UInt8, CaseIterable, Comparable, Sendable, BitwiseCopyable {
    case unknown = 0
    /// No default route.
    case none = 1
    /// There is one, and it costs money or is slow.
    case constrained = 2
    case ok = 3

    package static func < (a: NetworkAccess, b: NetworkAccess) -> Bool { a.rawValue < b.rawValue }
}

/// How hot the machine is, in the steps of ProcessInfo.ThermalState.
package enum ThermalState: UInt8, CaseIterable, Comparable, Sendable, BitwiseCopyable {
    case unknown = 0
    case nominal = 1
    case fair = 2
    case serious = 3
    case critical = 4

    package static func < (a: ThermalState, b: ThermalState) -> Bool { a.rawValue < b.rawValue }
}

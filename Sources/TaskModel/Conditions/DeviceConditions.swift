/// What the scheduler knows of the machine and its user. Every part may be unknown: then nothing answers for it here.
package struct DeviceConditions: Hashable, Sendable, BitwiseCopyable {
    /// The machine runs on mains. A machine with neither battery nor mains counts as powered.
    package var externalPower = Tristate.unknown
    /// Charge in percent; nil: no battery, or nobody says.
    package var batteryLevel: UInt8?
    /// The user asked the machine to save power.
    package var lowPowerMode = Tristate.unknown
    package var network = NetworkAccess.unknown
    /// Somebody is using the machine.
    package var userActive = Tristate.unknown
    /// The processors, or the memory, are wanted by others (PSI).
    package var cpuPressure = Tristate.unknown
    package var memoryPressure = Tristate.unknown
    package var thermal = ThermalState.unknown
    /// The user allows background refresh: the switch of iOS's settings. On unless somebody turns it off.
    package var backgroundRefresh = Tristate.yes
    /// The machine has been unlocked since it started. Linux has no such lock: true unless somebody says otherwise.
    package var unlocked = Tristate.yes

    /// The file system of the state folder is nearly full. The host sees to it itself.
    package var diskLow = Tristate.no
    /// At least so much of it is free, in bytes; the largest number: as much as anybody asks for.
    package var freeSpace = UInt64.max

    /// The machine is about to sleep, or sleeps, or a person says that the host is to act as if it did.
    package var isAsleep = Tristate.no
    /// No window of the configuration is open for work that may wait.
    package var windowClosed = Tristate.no
    /// When that becomes different by itself; nil: never, or a person said what it is.
    package var windowEdge: Timestamp?

    package init() {}

    /// Nothing holds anything back: on mains, online, and nobody uses the machine.
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

/// What the network is good for. Ordered: what needs one state is content with a better one.
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

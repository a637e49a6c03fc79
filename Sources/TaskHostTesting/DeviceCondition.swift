internal import TaskModel

/// One condition of the device, with its value: what requests and manifests require.
public enum DeviceCondition: Sendable, Equatable {
    /// The quality of the network.
    public enum Network: String, Sendable {
        /// There is none.
        case none
        /// It costs money, or is slow.
        case constrained
        /// It may be used freely.
        case ok
    }

    /// How hot the machine is.
    public enum Thermal: String, Sendable {
        /// Cool enough for everything.
        case nominal
        /// Warm.
        case fair
        /// Hot: processing waits.
        case serious
        /// Too hot.
        case critical
    }

    /// The machine runs on mains.
    case externalPower(Bool)
    /// The battery's charge in percent, 0 to 100; nil: there is no battery.
    case batteryLevel(Int?)
    /// The user asks to save power.
    case lowPowerMode(Bool)
    /// The network.
    case network(Network)
    /// The user is active.
    case userActive(Bool)
    /// Other processes need the processors.
    case cpuPressure(Bool)
    /// Other processes need the memory.
    case memoryPressure(Bool)
    /// How hot the machine is.
    case thermal(Thermal)
    /// The user allows background refresh on this machine.
    case backgroundRefresh(Bool)
    /// The disk is nearly full.
    case diskLow(Bool)

    func apply(to conditions: inout DeviceConditions) {
        switch self {
        case .externalPower(let isOn): conditions.externalPower = Tristate(isOn)
        case .batteryLevel(let level): conditions.batteryLevel = level.map { UInt8(clamping: min(100, $0)) }
        case .lowPowerMode(let isOn): conditions.lowPowerMode = Tristate(isOn)
        case .network(let network):
            conditions.network =
                switch network {
                case .none: .none
                case .constrained: .constrained
                case .ok: .ok
                }
        case .userActive(let isActive): conditions.userActive = Tristate(isActive)
        case .cpuPressure(let isHigh): conditions.cpuPressure = Tristate(isHigh)
        case .memoryPressure(let isHigh): conditions.memoryPressure = Tristate(isHigh)
        case .thermal(let state):
            conditions.thermal =
                switch state {
                case .nominal: .nominal
                case .fair: .fair
                case .serious: .serious
                case .critical: .critical
                }
        case .backgroundRefresh(let isAllowed): conditions.backgroundRefresh = Tristate(isAllowed)
        case .diskLow(let isLow): conditions.diskLow = Tristate(isLow)
        }
    }
}

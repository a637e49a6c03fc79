import TaskModel

/// The conditions of the machine that can stand in a request's way.
struct Obstacles: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt16
    static let count = 12

    static let power = Obstacles(rawValue: 1 << 0)
    static let battery = Obstacles(rawValue: 1 << 1)
    static let lowPower = Obstacles(rawValue: 1 << 2)
    static let networkAny = Obstacles(rawValue: 1 << 3)
    static let networkGood = Obstacles(rawValue: 1 << 4)
    static let user = Obstacles(rawValue: 1 << 5)
    static let cpu = Obstacles(rawValue: 1 << 6)
    static let memory = Obstacles(rawValue: 1 << 7)
    static let thermal = Obstacles(rawValue: 1 << 8)
    static let refreshOff = Obstacles(rawValue: 1 << 9)
    static let locked = Obstacles(rawValue: 1 << 10)
    static let disk = Obstacles(rawValue: 1 << 11)

    /// Those that stand now. What a request asks for must be known to be there; what is only considerate may be unknown.
    init(_ conditions: DeviceConditions, lowBattery: UInt8) {
        var set = Obstacles()
        if conditions.externalPower != .yes { set.insert(.power) }
        if let level = conditions.batteryLevel, level < lowBattery, conditions.externalPower != .yes {
            set.insert(.battery)
        }
        if conditions.lowPowerMode == .yes { set.insert(.lowPower) }
        if conditions.network < .constrained { set.insert(.networkAny) }
        if conditions.network < .ok { set.insert(.networkGood) }
        if conditions.userActive == .yes { set.insert(.user) }
        if conditions.cpuPressure == .yes { set.insert(.cpu) }
        if conditions.memoryPressure == .yes { set.insert(.memory) }
        if conditions.thermal >= .serious { set.insert(.thermal) }
        if conditions.backgroundRefresh == .no { set.insert(.refreshOff) }
        if conditions.unlocked == .no { set.insert(.locked) }
        if conditions.diskLow == .yes { set.insert(.disk) }
        self = set
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bit number of a single obstacle.
    var index: Int { rawValue.trailingZeroBitCount }
}

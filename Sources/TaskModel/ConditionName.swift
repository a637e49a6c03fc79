/// One part of `DeviceConditions`, by the word that `device set`, the control API and device traces use for it.
package enum ConditionName: String, CaseIterable, Sendable {
    case power
    case battery
    case lowPower
    case network
    case user
    case cpu
    case memory
    case thermal
    case refresh
    case unlocked
    case disk

    /// The values it may have, for help and for errors.
    package var values: [String] {
        switch self {
        case .power: ["external", "battery", "unknown"]
        case .battery: ["0…100", "none"]
        case .lowPower, .refresh: ["on", "off", "unknown"]
        case .network: ["ok", "constrained", "none", "unknown"]
        case .user: ["active", "idle", "unknown"]
        case .cpu, .memory: ["nominal", "high", "unknown"]
        case .thermal: ["nominal", "fair", "serious", "critical", "unknown"]
        case .unlocked: ["yes", "no", "unknown"]
        case .disk: ["ok", "low", "unknown"]
        }
    }

    /// The words for no and yes.
    private var words: (no: String, yes: String) {
        switch self {
        case .power: ("battery", "external")
        case .lowPower, .refresh: ("off", "on")
        case .user: ("idle", "active")
        case .cpu, .memory: ("nominal", "high")
        case .disk: ("ok", "low")
        case .unlocked, .battery, .network, .thermal: ("no", "yes")
        }
    }

    private var answer: WritableKeyPath<DeviceConditions, Answer>? {
        switch self {
        case .power: \.externalPower
        case .lowPower: \.lowPowerMode
        case .user: \.userActive
        case .cpu: \.cpuPressure
        case .memory: \.memoryPressure
        case .refresh: \.backgroundRefresh
        case .unlocked: \.unlocked
        case .disk: \.diskLow
        case .battery, .network, .thermal: nil
        }
    }

    /// The word for what it is.
    package func text(in conditions: DeviceConditions) -> String {
        if let answer {
            switch conditions[keyPath: answer] {
            case .unknown: return "unknown"
            case .no: return words.no
            case .yes: return words.yes
            }
        }
        switch self {
        case .battery: return conditions.batteryLevel.map { String($0) } ?? "none"
        case .network: return String(describing: conditions.network)
        default: return String(describing: conditions.thermal)
        }
    }

    /// Sets it to what the word says; false for a word that is none of `values`.
    package func set(_ word: String, in conditions: inout DeviceConditions) -> Bool {
        if let answer {
            guard
                let value = word == "unknown" ? .unknown : word == words.no ? .no : word == words.yes ? Answer.yes : nil
            else { return false }
            conditions[keyPath: answer] = value
            return true
        }
        switch self {
        case .battery:
            if word == "none" {
                conditions.batteryLevel = nil
                return true
            }
            guard let level = UInt8(word), level <= 100 else { return false }
            conditions.batteryLevel = level
        case .network:
            guard let access = NetworkAccess.allCases.first(where: { String(describing: $0) == word }) else {
                return false
            }
            conditions.network = access
        default:
            guard let state = ThermalState.allCases.first(where: { String(describing: $0) == word }) else {
                return false
            }
            conditions.thermal = state
        }
        return true
    }

    /// Copies it from one set of conditions to another.
    package func copy(from source: DeviceConditions, to target: inout DeviceConditions) {
        if let answer {
            target[keyPath: answer] = source[keyPath: answer]
            return
        }
        switch self {
        case .battery: target.batteryLevel = source.batteryLevel
        case .network: target.network = source.network
        default: target.thermal = source.thermal
        }
    }
}

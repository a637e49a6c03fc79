import TaskModel

// The gates that the machine's conditions open and close, in words.
extension Scheduler {
    /// The report on a gate of conditions; nil when it does not concern the class.
    func conditionReport(_ gate: Gate, _ group: ConditionClass, _ task: TaskSlot) -> GateReport? {
        guard let obstacle = Self.obstacle(of: gate, group), group.concerns.contains(obstacle) else { return nil }
        let stands = obstacles.contains(obstacle)
        let (found, opens, isKnown) = words(gate, group)
        var report = GateReport(
            gate: gate, verdict: !isKnown ? .unknown : stands ? .closed : .open, holds: stands,
            since: conditionLog.since(obstacle), found: found, opens: stands ? opens : "")
        let application = applications[Int(task.rules.application)]
        if gate == .backgroundRefresh && application.memory.isRefreshDenied {
            report.verdict = .closed
            report.holds = true
            report.since = RequestSlot.time(application.refreshSince)
            report.found = "turned off for this application"
            report.opens = "background refresh"
        }
        return report
    }

    static func obstacle(of gate: Gate, _ group: ConditionClass) -> Obstacles? {
        switch gate {
        case .backgroundRefresh: .refreshOff
        case .firstUnlock: .locked
        case .externalPower: .power
        case .batteryLevel: .battery
        case .lowPowerMode: .lowPower
        case .network: group.network == .ok ? .networkGood : .networkAny
        case .idle: .user
        case .cpuPressure: .cpu
        case .memoryPressure: .memory
        case .thermal: .thermal
        case .diskSpace: .disk
        default: nil
        }
    }

    private func words(_ gate: Gate, _ group: ConditionClass) -> (found: String, opens: String, isKnown: Bool) {
        switch gate {
        case .backgroundRefresh: answer(conditions.backgroundRefresh, "turned on", "turned off", "background refresh")
        case .firstUnlock: answer(conditions.unlocked, "unlocked", "not unlocked since it started", "the first unlock")
        case .externalPower: (power, "external power", conditions.externalPower != .unknown)
        case .batteryLevel: battery
        case .lowPowerMode: answer(conditions.lowPowerMode, "on", "off", "the end of low-power mode")
        case .network: network(group)
        case .idle:
            answer(conditions.userActive, "somebody uses the machine", "nobody uses the machine", "an idle machine")
        case .cpuPressure:
            answer(conditions.cpuPressure, "processors are short", "processors are free", "free processors")
        case .memoryPressure: answer(conditions.memoryPressure, "memory is short", "memory is free", "free memory")
        case .diskSpace:
            answer(conditions.diskLow, "the disk is nearly full", "there is room on the disk", "free space on the disk")
        default:
            (
                conditions.thermal == .unknown ? Self.unknown : String(describing: conditions.thermal),
                "a cooler machine", conditions.thermal != .unknown
            )
        }
    }

    private static let unknown = "unknown: nothing on this machine tells"

    private func answer(
        _ answer: Answer, _ yes: String, _ no: String, _ opens: String
    ) -> (found: String, opens: String, isKnown: Bool) {
        switch answer {
        case .unknown: (Self.unknown, opens, false)
        case .yes: (yes, opens, true)
        case .no: (no, opens, true)
        }
    }

    private var power: String {
        let charge = conditions.batteryLevel.map { ", \($0) %" } ?? ""
        return switch conditions.externalPower {
        case .unknown: Self.unknown
        case .yes: "on external power" + charge
        case .no: "on battery" + charge
        }
    }

    private var battery: (found: String, opens: String, isKnown: Bool) {
        let opens = "\(limits.lowBattery) % charge or external power"
        guard let level = conditions.batteryLevel else {
            guard conditions.externalPower == .yes else { return (Self.unknown, opens, false) }
            return ("no battery", opens, true)
        }
        return ("\(level) %", opens, true)
    }

    private func network(_ group: ConditionClass) -> (found: String, opens: String, isKnown: Bool) {
        let opens = group.network == .ok ? "an unmetered network" : "a network"
        return switch conditions.network {
        case .unknown: (Self.unknown, opens, false)
        case .none: ("no network", opens, true)
        case .constrained: ("a metered or slow network", opens, true)
        case .ok: ("a network", opens, true)
        }
    }
}

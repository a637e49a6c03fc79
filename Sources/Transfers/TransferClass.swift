import TaskModel

/// The conditions that a transfer requires. Transfers of one class pass or wait together: a change of conditions touches
/// classes, regardless of the number of transfers.
struct TransferClass: Hashable, Sendable, BitwiseCopyable {
    static let count = 6

    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }
    /// - Parameter network: the least that will do.
    init(network: NetworkAccess, isDiscretionary: Bool) {
        let level: UInt8 =
            switch network {
            case .ok: 2
            case .constrained: 1
            case .none, .unknown: 0
            }
        rawValue = level << 1 | (isDiscretionary ? 1 : 0)
    }

    var isDiscretionary: Bool { rawValue & 1 != 0 }
    /// nil: it needs none.
    var network: NetworkAccess? { rawValue >> 1 == 2 ? .ok : rawValue >> 1 == 1 ? .constrained : nil }
    var bit: UInt8 { 1 << rawValue }

    /// The wait under these conditions. Unknown conditions count as they do for tasks.
    func wait(in conditions: DeviceConditions) -> TransferWait? {
        if conditions.isAsleep == .yes { return .sleep }
        if let network, conditions.network < network {
            return conditions.network < .constrained ? .network : .unmeteredNetwork
        }
        guard isDiscretionary else { return nil }
        if conditions.externalPower != .yes { return .power }
        if conditions.windowClosed == .yes { return .window }
        return conditions.lowPowerMode == .yes ? .lowPower : nil
    }

    /// A running transfer has lost a condition. Without any network it continues: the route may be back before its
    /// connections break.
    func isLost(in conditions: DeviceConditions) -> Bool {
        if network == .ok && conditions.network == .constrained { return true }
        return isDiscretionary && (conditions.externalPower == .no || conditions.windowClosed == .yes)
    }

    /// The classes that no condition blocks, by their bits.
    static func open(in conditions: DeviceConditions) -> UInt8 {
        (0..<UInt8(count)).reduce(0) { mask, number in
            let group = TransferClass(rawValue: number)
            return group.wait(in: conditions) == nil ? mask | group.bit : mask
        }
    }
}

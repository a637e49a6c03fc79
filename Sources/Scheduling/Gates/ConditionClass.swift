import TaskModel

/// What a request asks of the machine: its kind and its requirements. Requests of one class pass or wait together, so
/// that a change of conditions touches at most 64 classes however many requests there are.
struct ConditionClass: Hashable, Sendable, BitwiseCopyable {
    let rawValue: UInt8
    static let count = 64

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(kind: TaskKind, power: Bool, network: NetworkAccess?, idle: Bool) {
        let access: UInt8 = network.map { $0 == .ok ? 2 : 1 } ?? 0
        // Continued processing asks nothing of the machine: the user wants it now.
        let needs = kind == .continuedProcessing ? 0 : (power ? 8 : 0) | access << 1 | (idle ? 1 : 0)
        rawValue = (kind.rawValue - 1) << 4 | needs
    }

    /// Of a request with these flags for that task.
    init(_ rules: TaskSchedulingRules, kind: TaskKind, flags: RequestSlot.Flags) {
        var network = rules.requiresNetwork.flatMap { $0 > .none ? $0 : nil }
        if flags.contains(.network) { network = max(network ?? .constrained, .constrained) }
        self.init(
            kind: kind, power: rules.requiresExternalPower || flags.contains(.power), network: network,
            idle: rules.requiresIdle && kind != .appRefresh)
    }

    var kind: TaskKind { TaskKind(rawValue: rawValue >> 4 & 3 + 1) ?? .processing }
    var requiresPower: Bool { rawValue & 8 != 0 }
    var network: NetworkAccess? { rawValue >> 1 & 3 == 0 ? nil : rawValue >> 1 & 3 == 1 ? .constrained : .ok }
    var requiresIdle: Bool { rawValue & 1 != 0 }
    var mask: ClassMask { ClassMask(rawValue: 1 << UInt64(rawValue)) }

    /// What keeps requests of this class from running.
    var concerns: Obstacles {
        // Whatever runs may write.
        guard kind != .continuedProcessing else { return [.disk] }
        var set: Obstacles = [.disk, .battery, .lowPower, .memory, .thermal, .locked]
        if kind == .appRefresh { set.insert(.refreshOff) }
        if requiresPower { set.insert(.power) }
        if let network { set.insert(network == .ok ? .networkGood : .networkAny) }
        if requiresIdle { set.formUnion([.user, .cpu]) }
        return set
    }
}

/// A set of classes.
struct ClassMask: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt64

    /// Every class of a kind.
    static func kind(_ kind: TaskKind) -> ClassMask {
        ClassMask(rawValue: 0xFFFF << (UInt64(kind.rawValue - 1) * 16))
    }
    static let all = ClassMask(rawValue: .max)

    /// Those whose concerns meet none of the obstacles.
    static func passing(_ obstacles: Obstacles) -> ClassMask {
        var mask = ClassMask()
        for number in 0..<UInt8(ConditionClass.count) {
            let group = ConditionClass(rawValue: number)
            if group.concerns.isDisjoint(with: obstacles) { mask.formUnion(group.mask) }
        }
        return mask
    }
}

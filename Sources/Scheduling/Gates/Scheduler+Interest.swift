import TaskModel

// What is worth watching on behalf of requests.
extension Scheduler {
    /// Something that is due, or runs, minds how busy the machine is.
    package var mindsPressure: Bool {
        !queues.occupied.isDisjoint(with: Self.minding) || occupied.total > occupied.continued
    }

    /// Something that is due, or runs, minds whether somebody uses the machine.
    package var mindsUser: Bool {
        !queues.occupied.isDisjoint(with: Self.idle) || occupied.processings > 0
    }

    /// All but continued processing.
    private static let minding = ClassMask.all.subtracting(.kind(.continuedProcessing))
    private static let idle = ClassMask(
        rawValue: (0..<UInt8(ConditionClass.count)).reduce(0) { mask, number in
            let group = ConditionClass(rawValue: number)
            return group.requiresIdle ? mask | group.mask.rawValue : mask
        })
}

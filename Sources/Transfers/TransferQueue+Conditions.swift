package import TaskModel

// The machine: network, power, windows, sleep, and space on its disk.
extension TransferQueue {
    /// The machine's conditions. Takes time for each application, and for running transfers.
    package mutating func setConditions(
        _ conditions: DeviceConditions, at now: ClockReading
    ) {
        self.now = now
        let old = self.conditions
        guard old != conditions else { return }
        self.conditions = conditions
        let isBack = !Self.hasNetwork(old) && Self.hasNetwork(conditions)
        while isBack, let index = cutOff.first {
            transfers[index].failures = 0
            place(index)
        }
        ready.setOpen(TransferClass.open(in: conditions))
        stopLost()
        start()
    }

    /// Free bytes of the file system. Below the floor running transfers are stopped. Takes time for running transfers.
    package mutating func setFreeSpace(
        _ bytes: Int64, at now: ClockReading
    ) {
        self.now = now
        freeSpace = bytes
        written = 0
        stopLost()
        start()
    }

    /// A transfer waits for space: looking at the disk now and then is worth it.
    package var awaitsSpace: Bool { cramped.count > 0 || isFull && going.wrappedSum() > 0 }

    /// Transfers that were resumed mind these conditions.
    package var minds: ConditionSet {
        var names = ConditionSet()
        for number in 0..<TransferClass.count where going[number] > 0 {
            let group = TransferClass(rawValue: UInt8(number))
            if group.network != nil { names.formUnion(ConditionSet(.network)) }
            if group.isDiscretionary { names.formUnion(ConditionSet([.power, .lowPower, .window])) }
        }
        return names
    }

    private static func hasNetwork(_ conditions: DeviceConditions) -> Bool {
        conditions.isAsleep != .yes && conditions.network >= .constrained
    }

    /// None may begin.
    var isFull: Bool { conditions.diskLow == .yes || available < 0 }

    /// What another one may still need of the disk.
    var available: Int64 {
        guard freeSpace < .max else { return .max }
        return freeSpace.subtractingWithSaturation(written).subtractingWithSaturation(limits.diskFloor)
            .subtractingWithSaturation(reserved)
    }

    func group(of slot: TransferSlot) -> TransferClass {
        let options = sessions[slot.session].options
        let isDiscretionary = options.isDiscretionary || slot.flags.contains(.fromBackground)
        guard slot.flags.contains(.needsNetwork) else {
            return TransferClass(network: .none, isDiscretionary: isDiscretionary)
        }
        let takesAny =
            options.allowsExpensive && options.allowsConstrained
            && slot.flags.isSuperset(of: [.expensive, .constrained])
        return TransferClass(
            network: takesAny && !isDiscretionary ? .constrained : .ok, isDiscretionary: isDiscretionary)
    }

    /// Reports of a transfer that has just become ready, or was interrupted, that it waits for the network.
    mutating func sayNetwork(_ index: TransferIndex) {
        guard transfers[index].place == .ready || transfers[index].place == .paused, transfers[index].isGoing else {
            return
        }
        let wait = group(of: transfers[index]).wait(in: conditions)
        if wait == .network || wait == .unmeteredNetwork {
            decisions.append(.waitsForNetwork(transfers.handle(index)))
        }
    }

    private mutating func stopLost() {
        var next = running.first
        while let index = next {
            next = transfers.next(after: index)
            stopIfLost(index)
        }
    }

    mutating func stopIfLost(_ index: TransferIndex) {
        let hasRoom = conditions.diskLow != .yes && freeSpace >= limits.diskFloor
        if !hasRoom || group(of: transfers[index]).isLost(in: conditions) { stop(index) }
    }
}

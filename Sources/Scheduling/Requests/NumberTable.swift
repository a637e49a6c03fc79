/// Finds a small number by a larger one: open addressing with linear probing, three quarters full at most.
///
/// For numbers that no attacker chooses: a multiplication distributes them well enough, and the seeded hash of a
/// dictionary would be the most expensive step of a submission.
struct NumberTable: Sendable {
    private static let free = Int64.min

    private var keys: [Int64] = []
    private var slots: [UInt32] = []
    /// 64 less the power of two that is the table's size.
    private var shift: UInt64 = 64
    private var count = 0

    subscript(number: Int64) -> UInt32? {
        get {
            guard count > 0, let place = find(number) else { return nil }
            return slots[place]
        }
        set {
            if let newValue { set(number, to: newValue) } else { remove(number) }
        }
    }

    /// Where the search for a number begins (Fibonacci hashing).
    private func start(_ number: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    private func find(_ number: Int64) -> Int? {
        var place = start(number)
        while keys[place] != number {
            guard keys[place] != Self.free else { return nil }
            place = (place + 1) & (keys.count - 1)
        }
        return place
    }

    private mutating func set(_ number: Int64, to slot: UInt32) {
        precondition(number != Self.free, "the least number stands for no entry")
        if (count + 1) * 4 > keys.count * 3 { grow() }
        var place = start(number)
        while keys[place] != Self.free && keys[place] != number { place = (place + 1) & (keys.count - 1) }
        if keys[place] == Self.free {
            keys[place] = number
            count += 1
        }
        slots[place] = slot
    }

    /// Closes the gap: an entry that was displaced by it moves into it (Knuth, volume 3, algorithm 6.4R).
    private mutating func remove(_ number: Int64) {
        guard count > 0, var gap = find(number) else { return }
        count -= 1
        let mask = keys.count - 1
        var place = (gap + 1) & mask
        while keys[place] != Self.free {
            let distance = (place &- start(keys[place])) & mask
            if distance >= (place &- gap) & mask {
                keys[gap] = keys[place]
                slots[gap] = slots[place]
                gap = place
            }
            place = (place + 1) & mask
        }
        keys[gap] = Self.free
    }

    private mutating func grow() {
        let (oldKeys, oldSlots) = (keys, slots)
        let size = max(16, oldKeys.count * 2)
        keys = Array(repeating: Self.free, count: size)
        slots = Array(repeating: 0, count: size)
        shift = UInt64(64 - size.trailingZeroBitCount)
        count = 0
        for (key, slot) in zip(oldKeys, oldSlots) where key != Self.free { set(key, to: slot) }
    }
}

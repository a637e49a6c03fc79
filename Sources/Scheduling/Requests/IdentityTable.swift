/// Finds a request's slot by its identity: open addressing with linear probing, three quarters full at most.
///
/// Identities are the store's own row numbers, counted up from 1, so neighbours stay neighbours: one line of the
/// processor's cache answers for eight of them, where a hash would wait for memory at each. Numbers that lie the table's
/// size apart are moved against each other (Fibonacci hashing of the rest), so that no even stride piles up.
struct IdentityTable: Sendable {
    private static let free = Int64.min

    private var keys: [Int64] = []
    private var slots: [UInt32] = []
    /// The power of two that is the table's size.
    private var bits: UInt64 = 0
    private(set) var count = 0

    subscript(identity: Int64) -> UInt32? {
        get {
            guard count > 0, let place = find(identity) else { return nil }
            return slots[place]
        }
        set {
            if let newValue { set(identity, to: newValue) } else { remove(identity) }
        }
    }

    /// Where the search for an identity begins.
    private func start(_ identity: Int64) -> Int {
        let number = UInt64(bitPattern: identity)
        let shift = ((number >> bits) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits)
        return Int(truncatingIfNeeded: number &+ shift) & (keys.count - 1)
    }

    private func find(_ identity: Int64) -> Int? {
        var place = start(identity)
        while keys[place] != identity {
            guard keys[place] != Self.free else { return nil }
            place = (place + 1) & (keys.count - 1)
        }
        return place
    }

    private mutating func set(_ identity: Int64, to slot: UInt32) {
        precondition(identity != Self.free, "rows are numbered from 1")
        if (count + 1) * 4 > keys.count * 3 { grow() }
        var place = start(identity)
        while keys[place] != Self.free && keys[place] != identity { place = (place + 1) & (keys.count - 1) }
        if keys[place] == Self.free {
            keys[place] = identity
            count += 1
        }
        slots[place] = slot
    }

    /// Closes the gap: an entry that was put further on because of it moves into it (Knuth, volume 3, algorithm 6.4R).
    private mutating func remove(_ identity: Int64) {
        guard count > 0, var gap = find(identity) else { return }
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
        bits = UInt64(size.trailingZeroBitCount)
        for old in oldKeys.indices where oldKeys[old] != Self.free {
            var place = start(oldKeys[old])
            while keys[place] != Self.free { place = (place + 1) & (size - 1) }
            keys[place] = oldKeys[old]
            slots[place] = oldSlots[old]
        }
    }
}

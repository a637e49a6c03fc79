/// Finds a request's slot by its identity.
///
/// Identities are the store's own row numbers, counted up from 1, and neighbours are asked for together: a *block* holds the
/// slots of 16 in a row, one line of the processor's cache, and blocks are found by number.
struct IdentityTable: Sendable {
    private static let none = UInt32.max
    private static let blockSize: Int64 = 16

    private var blocks = NumberTable()
    /// Of each block in turn; `none`: that identity has none.
    private var slots: [UInt32] = []
    /// How many a block holds.
    private var used: [UInt8] = []
    private var freeBlocks: [UInt32] = []
    private(set) var count = 0

    subscript(identity: Int64) -> UInt32? {
        get {
            guard let block = blocks[identity / Self.blockSize] else { return nil }
            let slot = slots[Self.place(identity, in: block)]
            return slot == Self.none ? nil : slot
        }
        set {
            if let newValue { set(identity, to: newValue) } else { remove(identity) }
        }
    }

    /// Rows are numbered from 1.
    private static func place(_ identity: Int64, in block: UInt32) -> Int {
        Int(block) * Int(blockSize) + Int(identity & (blockSize - 1))
    }

    private mutating func set(_ identity: Int64, to slot: UInt32) {
        let block = blocks[identity / Self.blockSize] ?? makeBlock(identity / Self.blockSize)
        let place = Self.place(identity, in: block)
        if slots[place] == Self.none {
            used[Int(block)] += 1
            count += 1
        }
        slots[place] = slot
    }

    private mutating func remove(_ identity: Int64) {
        guard let block = blocks[identity / Self.blockSize] else { return }
        let place = Self.place(identity, in: block)
        guard slots[place] != Self.none else { return }
        slots[place] = Self.none
        count -= 1
        used[Int(block)] -= 1
        guard used[Int(block)] == 0 else { return }
        blocks[identity / Self.blockSize] = nil
        freeBlocks.append(block)
    }

    private mutating func makeBlock(_ number: Int64) -> UInt32 {
        let block: UInt32
        if let free = freeBlocks.popLast() {
            block = free
        } else {
            block = UInt32(used.count)
            used.append(0)
            for _ in 0..<Self.blockSize { slots.append(Self.none) }
        }
        blocks[number] = block
        return block
    }
}

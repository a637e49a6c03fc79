import TaskModel

/// Finds a request by its identity.
///
/// Identities are the store's own row numbers, counted up from 1, and neighbours are used together: a *block* holds the
/// slots of 16 in a row, one line of the processor's cache, and blocks are found by number.
struct IdentityTable: Sendable {
    private static let blockSize: Int64 = 16

    private struct Block: Sendable, BitwiseCopyable {
        static let none = UInt32.max
        /// Of each identity in turn; `none`: it has none.
        var slots: InlineArray<16, UInt32> = .init(repeating: none)
        /// How many have one.
        var used: UInt8 = 0
    }

    private var places = NumberTable()
    private var blocks = SlotTable<SlotIndex<Block>, Block>()
    private(set) var count = 0

    subscript(identity: Int64) -> RequestIndex? {
        get {
            guard let block = block(of: identity) else { return nil }
            let slot = blocks[block].slots[Self.place(identity)]
            return slot == Block.none ? nil : RequestIndex(number: slot)
        }
        set {
            if let newValue { set(identity, to: newValue) } else { remove(identity) }
        }
    }

    /// Rows are numbered from 1.
    private static func place(_ identity: Int64) -> Int { Int(identity & (blockSize - 1)) }

    private func block(of identity: Int64) -> SlotIndex<Block>? {
        places[identity / Self.blockSize].map { SlotIndex(number: $0) }
    }

    private mutating func set(_ identity: Int64, to request: RequestIndex) {
        let block = block(of: identity) ?? makeBlock(of: identity)
        let place = Self.place(identity)
        if blocks[block].slots[place] == Block.none {
            blocks[block].used += 1
            count += 1
        }
        blocks[block].slots[place] = request.number
    }

    private mutating func remove(_ identity: Int64) {
        let place = Self.place(identity)
        guard let block = block(of: identity), blocks[block].slots[place] != Block.none else { return }
        blocks[block].slots[place] = Block.none
        blocks[block].used -= 1
        count -= 1
        guard blocks[block].used == 0 else { return }
        places[identity / Self.blockSize] = nil
        blocks.release(block)
    }

    private mutating func makeBlock(of identity: Int64) -> SlotIndex<Block> {
        let block = blocks.take(Block())
        places[identity / Self.blockSize] = block.number
        return block
    }
}

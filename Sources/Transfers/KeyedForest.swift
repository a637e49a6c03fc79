import TaskModel

/// Any number of heaps of slots, least key first, and a slot in one of them at a time: the owner of a heap keeps its root,
/// the rest is here. Pairing heaps: adding is a few steps, removing any slot the logarithm of the heap, amortised; nothing
/// is allocated once every slot has been in one.
struct KeyedForest<Index: TableIndex>: Sendable {
    /// Of an empty heap, and of a slot without neighbour.
    static var none: UInt32 { .max }

    private struct Node: Sendable, BitwiseCopyable {
        var key: Int64 = 0
        var child = KeyedForest.none
        var next = KeyedForest.none
        /// The left sibling; of the first child its parent.
        var previous = KeyedForest.none
    }

    /// By the number of the slot.
    private var nodes: [Node] = []

    /// The key of a slot that is in a heap.
    func key(of number: UInt32) -> Int64 { nodes[Int(number)].key }

    /// Adds a slot that is in no heap.
    mutating func insert(_ index: Index, key: Int64, into root: inout UInt32) {
        while nodes.count <= index.number { nodes.append(Node()) }
        nodes[Int(index.number)] = Node(key: key)
        root = root == Self.none ? index.number : meld(root, index.number)
    }

    /// Removes a slot from the heap that it is in.
    mutating func remove(_ index: Index, from root: inout UInt32) {
        let node = nodes[Int(index.number)]
        let rest = mergePairs(node.child)
        nodes[Int(index.number)] = Node()
        guard index.number != root else {
            root = rest
            return
        }
        if nodes[Int(node.previous)].child == index.number {
            nodes[Int(node.previous)].child = node.next
        } else {
            nodes[Int(node.previous)].next = node.next
        }
        if node.next != Self.none { nodes[Int(node.next)].previous = node.previous }
        if rest != Self.none { root = meld(root, rest) }
    }

    /// One heap of two; both are roots without siblings.
    private mutating func meld(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (top, below) = nodes[Int(a)].key <= nodes[Int(b)].key ? (a, b) : (b, a)
        let child = nodes[Int(top)].child
        nodes[Int(below)].next = child
        nodes[Int(below)].previous = top
        if child != Self.none { nodes[Int(child)].previous = below }
        nodes[Int(top)].child = below
        return top
    }

    /// One heap of siblings: neighbours in pairs, then the pairs from the last to the first.
    private mutating func mergePairs(_ first: UInt32) -> UInt32 {
        var pairs = Self.none
        var rest = first
        while rest != Self.none {
            let a = detach(&rest)
            let pair = rest == Self.none ? a : meld(a, detach(&rest))
            nodes[Int(pair)].next = pairs
            pairs = pair
        }
        var root = Self.none
        while pairs != Self.none {
            let pair = detach(&pairs)
            root = root == Self.none ? pair : meld(root, pair)
        }
        return root
    }

    /// The first of a chain of siblings, without them.
    private mutating func detach(_ chain: inout UInt32) -> UInt32 {
        let number = chain
        chain = nodes[Int(number)].next
        nodes[Int(number)].next = Self.none
        nodes[Int(number)].previous = Self.none
        return number
    }
}

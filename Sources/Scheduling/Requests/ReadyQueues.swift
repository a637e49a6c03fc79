import TaskModel

/// Requests whose dates have come, by class and application, in fair order.
///
/// A *lane* holds the requests of one application and one class, first come first served. Each class has a heap of lanes:
/// on top is the application that used the least processor time, then the one with the fewest runs, then the one that
/// asked first. Lanes of continued processing stand in order of submission alone. The next request of all is found by
/// looking at the tops of those classes that may run, however many requests wait.
struct ReadyQueues: Sendable {
    private static let none = UInt32.max

    /// A request's place in its lane.
    private struct Node: Sendable, BitwiseCopyable {
        var previous = ReadyQueues.none
        var next = ReadyQueues.none
        var lane = ReadyQueues.none
    }

    private struct Lane: Sendable, BitwiseCopyable {
        var first = ReadyQueues.none
        var last = ReadyQueues.none
        /// The next lane of its application, or the next free one.
        var sibling = ReadyQueues.none
        var application: UInt32
        /// Position in its class's heap; -1: not in it, for its application is blocked.
        var position: Int32 = -1
        var group: ConditionClass
    }

    /// What an application has had.
    private struct Share: Sendable, BitwiseCopyable {
        var usage = 0.0
        var running: UInt32 = 0
        var firstLane = ReadyQueues.none
        /// Kinds of which nothing of it must run now.
        var blocked = KindSet()
    }

    private struct Item: Sendable, BitwiseCopyable {
        var usage: Double
        var running: UInt32
        var lane: UInt32
        /// Order of the first request of the lane.
        var sequence: UInt64

        static func < (a: Item, b: Item) -> Bool {
            if a.usage != b.usage { return a.usage < b.usage }
            return a.running != b.running ? a.running < b.running : a.sequence < b.sequence
        }
    }

    private var nodes: [Node] = []
    private var lanes: [Lane] = []
    private var freeLane = Self.none
    private var shares: [Share] = []
    /// By class; as many as there have been.
    private var heaps: [[Item]] = []
    /// Classes that have a lane in their heap.
    private(set) var occupied = ClassMask()

    // MARK: Applications

    mutating func addApplication(usage: Double) {
        var share = Share()
        share.usage = usage
        shares.append(share)
    }

    func usage(of application: UInt32) -> Double { shares[Int(application)].usage }
    func running(of application: UInt32) -> UInt32 { shares[Int(application)].running }

    mutating func setUsage(_ usage: Double, of application: UInt32, _ slots: [RequestSlot]) {
        shares[Int(application)].usage = usage
        refile(application, slots)
    }

    mutating func addRunning(_ change: Int32, of application: UInt32, _ slots: [RequestSlot]) {
        let count = Int64(shares[Int(application)].running) + Int64(change)
        shares[Int(application)].running = UInt32(clamping: count)
        refile(application, slots)
    }

    /// Says of which kinds nothing of the application must run.
    mutating func block(_ kinds: KindSet, of application: UInt32, _ slots: [RequestSlot]) {
        guard shares[Int(application)].blocked != kinds else { return }
        shares[Int(application)].blocked = kinds
        var lane = shares[Int(application)].firstLane
        while lane != Self.none {
            let isIn = lanes[Int(lane)].position >= 0
            let belongs = !kinds.contains(lanes[Int(lane)].group.kind)
            if belongs && !isIn { file(lane, slots) } else if !belongs && isIn { unfile(lane) }
            lane = lanes[Int(lane)].sibling
        }
    }

    // MARK: Requests

    /// Puts the request at the end of its lane.
    mutating func insert(
        _ request: UInt32, application: UInt32, group: ConditionClass, _ slots: [RequestSlot]
    ) {
        while nodes.count <= request { nodes.append(Node()) }
        let lane = lane(of: application, group)
        let last = lanes[Int(lane)].last
        nodes[Int(request)] = Node(previous: last, next: Self.none, lane: lane)
        lanes[Int(lane)].last = request
        if last != Self.none {
            nodes[Int(last)].next = request
            return
        }
        lanes[Int(lane)].first = request
        if !shares[Int(application)].blocked.contains(group.kind) { file(lane, slots) }
    }

    /// Takes the request out of its lane, if it is in one.
    mutating func remove(_ request: UInt32, _ slots: [RequestSlot]) {
        guard request < nodes.count, nodes[Int(request)].lane != Self.none else { return }
        let node = nodes[Int(request)]
        nodes[Int(request)] = Node()
        if node.next != Self.none {
            nodes[Int(node.next)].previous = node.previous
        } else {
            lanes[Int(node.lane)].last = node.previous
        }
        if node.previous != Self.none {
            nodes[Int(node.previous)].next = node.next
            return
        }
        lanes[Int(node.lane)].first = node.next
        let isIn = lanes[Int(node.lane)].position >= 0
        if node.next == Self.none {
            if isIn { unfile(node.lane) }
            free(node.lane)
        } else if isIn {
            refile(lane: node.lane, slots)
        }
    }

    /// The request that comes first of those of these kinds in these classes.
    func first(in kinds: KindSet, _ classes: ClassMask) -> UInt32? {
        let pattern = kinds.pattern
        var best: Item?
        for word in 0..<min(occupied.words.count, classes.words.count) {
            var rest = occupied.words[word] & classes.words[word] & pattern
            while rest != 0 {
                let item = heaps[word << 6 | rest.trailingZeroBitCount][0]
                rest &= rest - 1
                if let found = best, !(item < found) { continue }
                best = item
            }
        }
        return best.map { lanes[Int($0.lane)].first }
    }

    // MARK: Lanes

    private mutating func lane(of application: UInt32, _ group: ConditionClass) -> UInt32 {
        var lane = shares[Int(application)].firstLane
        while lane != Self.none {
            if lanes[Int(lane)].group == group { return lane }
            lane = lanes[Int(lane)].sibling
        }
        var new = Lane(application: application, group: group)
        new.sibling = shares[Int(application)].firstLane
        if freeLane != Self.none {
            lane = freeLane
            freeLane = lanes[Int(lane)].sibling
            lanes[Int(lane)] = new
        } else {
            lane = UInt32(lanes.count)
            lanes.append(new)
        }
        shares[Int(application)].firstLane = lane
        return lane
    }

    private mutating func free(_ lane: UInt32) {
        let application = Int(lanes[Int(lane)].application)
        if shares[application].firstLane == lane {
            shares[application].firstLane = lanes[Int(lane)].sibling
        } else {
            var before = shares[application].firstLane
            while lanes[Int(before)].sibling != lane { before = lanes[Int(before)].sibling }
            lanes[Int(before)].sibling = lanes[Int(lane)].sibling
        }
        lanes[Int(lane)].sibling = freeLane
        freeLane = lane
    }

    private func item(of lane: UInt32, _ slots: [RequestSlot]) -> Item {
        let sequence = slots[Int(lanes[Int(lane)].first)].sequence
        guard lanes[Int(lane)].group.kind != .continuedProcessing else {
            return Item(usage: 0, running: 0, lane: lane, sequence: sequence)
        }
        let share = shares[Int(lanes[Int(lane)].application)]
        return Item(usage: share.usage, running: share.running, lane: lane, sequence: sequence)
    }

    // MARK: The heaps of lanes

    private mutating func file(_ lane: UInt32, _ slots: [RequestSlot]) {
        let group = lanes[Int(lane)].group
        let heap = Int(group.rawValue)
        while heaps.count <= heap { heaps.append([]) }
        heaps[heap].append(item(of: lane, slots))
        occupied[group] = true
        rise(heap, from: heaps[heap].count - 1)
    }

    private mutating func unfile(_ lane: UInt32) {
        let group = lanes[Int(lane)].group
        let heap = Int(group.rawValue)
        let position = Int(lanes[Int(lane)].position)
        lanes[Int(lane)].position = -1
        let last = heaps[heap].removeLast()
        if heaps[heap].isEmpty { occupied[group] = false }
        guard position < heaps[heap].count else { return }
        replace(heap, at: position, by: last)
    }

    private mutating func refile(_ application: UInt32, _ slots: [RequestSlot]) {
        var lane = shares[Int(application)].firstLane
        while lane != Self.none {
            if lanes[Int(lane)].position >= 0 { refile(lane: lane, slots) }
            lane = lanes[Int(lane)].sibling
        }
    }

    private mutating func refile(lane: UInt32, _ slots: [RequestSlot]) {
        replace(Int(lanes[Int(lane)].group.rawValue), at: Int(lanes[Int(lane)].position), by: item(of: lane, slots))
    }

    private mutating func replace(_ heap: Int, at position: Int, by item: Item) {
        let earlier = item < heaps[heap][position]
        heaps[heap][position] = item
        lanes[Int(item.lane)].position = Int32(position)
        if earlier { rise(heap, from: position) } else { sink(heap, from: position) }
    }

    private mutating func rise(_ heap: Int, from start: Int) {
        var position = start
        let item = heaps[heap][position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard item < heaps[heap][parent] else { break }
            place(heaps[heap][parent], heap, at: position)
            position = parent
        }
        place(item, heap, at: position)
    }

    private mutating func sink(_ heap: Int, from start: Int) {
        var position = start
        let item = heaps[heap][position]
        while true {
            var child = 2 * position + 1
            guard child < heaps[heap].count else { break }
            if child + 1 < heaps[heap].count && heaps[heap][child + 1] < heaps[heap][child] { child += 1 }
            guard heaps[heap][child] < item else { break }
            place(heaps[heap][child], heap, at: position)
            position = child
        }
        place(item, heap, at: position)
    }

    private mutating func place(_ item: Item, _ heap: Int, at position: Int) {
        heaps[heap][position] = item
        lanes[Int(item.lane)].position = Int32(position)
    }
}

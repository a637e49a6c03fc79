import TaskModel

/// Requests whose dates have come, by class and application, in fair order.
///
/// A *lane* holds the requests of one application and one class, in order of arrival. Each class has a heap of lanes: the
/// first is that of the application with the least processor time, then of the one with the fewest runs, then of the one
/// that submitted first. Lanes of continued processing are ordered by submission alone. To find the next request, only the
/// first lanes of the classes that may run are compared, regardless of the number of requests.
struct ReadyQueues: Sendable {
    private typealias LaneIndex = SlotIndex<Lane>

    private struct Lane: Sendable, BitwiseCopyable {
        var requests = SlotList<RequestIndex>()
        let application: ApplicationIndex
        let group: ConditionClass
        /// Position in its class's heap; -1: not in it, for its application is blocked.
        var position: Int32 = -1
    }

    /// What an application has had.
    private struct Share: Sendable, BitwiseCopyable {
        var usage: Double
        var running: UInt32 = 0
        var lanes = SlotList<LaneIndex>()
        /// Kinds of which none of its requests may run now.
        var blocked = KindSet()
    }

    private struct Item: Sendable, BitwiseCopyable {
        var usage: Double
        var running: UInt32
        var lane: LaneIndex
        /// Order of the first request of the lane.
        var sequence: UInt64

        static func < (a: Item, b: Item) -> Bool {
            if a.usage != b.usage { return a.usage < b.usage }
            return a.running != b.running ? a.running < b.running : a.sequence < b.sequence
        }
    }

    /// Of requests in their lanes. In their own table they are in the lists of applications.
    private var links = SlotLinks<RequestIndex>()
    private var lanes = SlotTable<LaneIndex, Lane>()
    private var shares = Table<ApplicationIndex, Share>()
    /// By class, for all classes so far.
    private var heaps: [[Item]] = []
    /// Classes that have a lane in their heap.
    private(set) var occupied = ClassMask()

    // MARK: Applications

    mutating func addApplication(usage: Double) { _ = shares.append(Share(usage: usage)) }

    func usage(of application: ApplicationIndex) -> Double { shares[application].usage }
    func running(of application: ApplicationIndex) -> UInt32 { shares[application].running }

    mutating func setUsage(_ usage: Double, of application: ApplicationIndex, _ requests: RequestTable) {
        shares[application].usage = usage
        refile(application, requests)
    }

    mutating func addRunning(_ change: Int32, of application: ApplicationIndex, _ requests: RequestTable) {
        let count = Int64(shares[application].running) + Int64(change)
        shares[application].running = UInt32(clamping: count)
        refile(application, requests)
    }

    /// Sets the kinds of which none of the application's requests may run.
    mutating func block(_ kinds: KindSet, of application: ApplicationIndex, _ requests: RequestTable) {
        guard shares[application].blocked != kinds else { return }
        shares[application].blocked = kinds
        var next = shares[application].lanes.first
        while let lane = next {
            let isIn = lanes[lane].position >= 0
            let belongs = !kinds.contains(lanes[lane].group.kind)
            if belongs && !isIn { file(lane, requests) } else if !belongs && isIn { unfile(lane) }
            next = lanes.next(after: lane)
        }
    }

    // MARK: Requests

    /// Adds the request at the end of its lane.
    mutating func insert(
        _ request: RequestIndex, application: ApplicationIndex, group: ConditionClass, _ requests: RequestTable
    ) {
        let lane = lane(of: application, group) ?? makeLane(of: application, group)
        let isFirst = lanes[lane].requests.isEmpty
        links.append(request, to: &lanes[lane].requests)
        if isFirst && !shares[application].blocked.contains(group.kind) { file(lane, requests) }
    }

    /// Takes the request out of its lane, in which it is.
    mutating func remove(
        _ request: RequestIndex, application: ApplicationIndex, group: ConditionClass, _ requests: RequestTable
    ) {
        guard let lane = lane(of: application, group) else {
            preconditionFailure("a request leaves the lane that it is in")
        }
        let wasFirst = lanes[lane].requests.first == request
        links.remove(request, from: &lanes[lane].requests)
        guard wasFirst else { return }
        let isIn = lanes[lane].position >= 0
        if lanes[lane].requests.isEmpty {
            if isIn { unfile(lane) }
            lanes.remove(lane, from: &shares[application].lanes)
            lanes.release(lane)
        } else if isIn {
            refile(lane: lane, requests)
        }
    }

    /// The request that comes first of those of these kinds in these classes.
    func first(in kinds: KindSet, _ classes: ClassMask) -> RequestIndex? {
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
        return best.flatMap { lanes[$0.lane].requests.first }
    }

    // MARK: Lanes

    private func lane(of application: ApplicationIndex, _ group: ConditionClass) -> LaneIndex? {
        var next = shares[application].lanes.first
        while let lane = next, lanes[lane].group != group { next = lanes.next(after: lane) }
        return next
    }

    private mutating func makeLane(of application: ApplicationIndex, _ group: ConditionClass) -> LaneIndex {
        let lane = lanes.take(Lane(application: application, group: group))
        lanes.prepend(lane, to: &shares[application].lanes)
        return lane
    }

    private func item(of lane: LaneIndex, _ requests: RequestTable) -> Item {
        let (group, share) = (lanes[lane].group, shares[lanes[lane].application])
        let sequence = lanes[lane].requests.first.map { requests[$0].sequence } ?? .max
        guard group.kind != .continuedProcessing else {
            return Item(usage: 0, running: 0, lane: lane, sequence: sequence)
        }
        return Item(usage: share.usage, running: share.running, lane: lane, sequence: sequence)
    }

    // MARK: The heaps of lanes

    private mutating func file(_ lane: LaneIndex, _ requests: RequestTable) {
        let group = lanes[lane].group
        let heap = Int(group.rawValue)
        while heaps.count <= heap { heaps.append([]) }
        heaps[heap].append(item(of: lane, requests))
        occupied[group] = true
        rise(heap, from: heaps[heap].count - 1)
    }

    private mutating func unfile(_ lane: LaneIndex) {
        let group = lanes[lane].group
        let heap = Int(group.rawValue)
        let position = Int(lanes[lane].position)
        lanes[lane].position = -1
        let last = heaps[heap].removeLast()
        if heaps[heap].isEmpty { occupied[group] = false }
        guard position < heaps[heap].count else { return }
        replace(heap, at: position, by: last)
    }

    private mutating func refile(_ application: ApplicationIndex, _ requests: RequestTable) {
        var next = shares[application].lanes.first
        while let lane = next {
            if lanes[lane].position >= 0 { refile(lane: lane, requests) }
            next = lanes.next(after: lane)
        }
    }

    private mutating func refile(lane: LaneIndex, _ requests: RequestTable) {
        replace(Int(lanes[lane].group.rawValue), at: Int(lanes[lane].position), by: item(of: lane, requests))
    }

    private mutating func replace(_ heap: Int, at position: Int, by item: Item) {
        let earlier = item < heaps[heap][position]
        heaps[heap][position] = item
        lanes[item.lane].position = Int32(position)
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
        lanes[item.lane].position = Int32(position)
    }
}

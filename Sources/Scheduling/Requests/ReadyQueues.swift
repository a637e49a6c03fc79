import TaskModel

/// Requests whose dates have come, by class, priority and application, in fair order.
///
/// A *lane* holds the requests of one application, one class and one priority, in order of arrival. Each class has a heap of
/// lanes for each priority: the first is that of the application with the least processor time, then of the one with the fewest
/// runs, then of the one that submitted first. Lanes of continued processing are ordered by submission alone. To find the next
/// request, only the first lanes of the classes that may run are compared, regardless of the number of requests.
///
/// Of a kind the highest priority comes first. One that others went past `WorkPriority.mostPassed` times in a row is next, so
/// that none starves. Between kinds priority does not count.
struct ReadyQueues: Sendable {
    private typealias LaneIndex = SlotIndex<Lane>

    private struct Lane: Sendable, BitwiseCopyable {
        var requests = SlotList<RequestIndex>()
        let application: ApplicationIndex
        let group: ConditionClass
        let priority: WorkPriority
        /// It is in its class's heap: that of a blocked application is not.
        var isIn = false
    }

    /// What an application has had.
    private struct Share: Sendable, BitwiseCopyable {
        var usage: Double
        var running: UInt32 = 0
        var lanes = SlotList<LaneIndex>()
        /// Kinds of which none of its requests may run now.
        var blocked = KindSet()
    }

    /// Where a lane stands among those of its class.
    private struct Rank: Comparable, Sendable, BitwiseCopyable {
        var usage: Double
        var running: UInt32
        /// Order of the first request of the lane.
        var sequence: UInt64

        static func < (a: Rank, b: Rank) -> Bool {
            if a.usage != b.usage { return a.usage < b.usage }
            return a.running != b.running ? a.running < b.running : a.sequence < b.sequence
        }
    }

    /// Of requests in their lanes. In their own table they are in the lists of applications.
    private var links = SlotLinks<RequestIndex>()
    private var lanes = SlotTable<LaneIndex, Lane>()
    private var shares = Table<ApplicationIndex, Share>()
    /// By class and priority, for all classes so far.
    private var heaps: [KeyedHeap<LaneIndex, Rank>] = []
    /// Classes that have a lane in their heap.
    private(set) var occupied = ClassMask()
    /// How often others of its kind went past each priority, by kind and priority.
    private var passed = [UInt8](repeating: 0, count: ConditionClass.perSet * Self.priorities)
    private static let priorities = WorkPriority.allCases.count

    /// The request that is next, and which lower priorities of its kind it goes past.
    struct Choice: Sendable, BitwiseCopyable {
        let request: RequestIndex
        fileprivate let kind: Int
        fileprivate let priority: WorkPriority
        /// Bits of the priorities that have a request which may run.
        fileprivate let waiting: UInt8
    }

    // MARK: Applications

    mutating func addApplication(usage: Double) { _ = shares.append(Share(usage: usage)) }

    /// Requests in all lanes. It takes time for all of them.
    var count: Int { lanes.indices.reduce(0) { lanes.isTaken($1) ? $0 + lanes[$1].requests.count : $0 } }

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
            let belongs = !kinds.contains(lanes[lane].group.kind)
            if belongs && !lanes[lane].isIn { file(lane, requests) } else if !belongs { unfile(lane) }
            next = lanes.next(after: lane)
        }
    }

    // MARK: Requests

    /// Adds the request at the end of its lane.
    mutating func insert(
        _ request: RequestIndex, application: ApplicationIndex, group: ConditionClass, priority: WorkPriority,
        _ requests: RequestTable
    ) {
        let lane = lane(of: application, group, priority) ?? makeLane(of: application, group, priority)
        let isFirst = lanes[lane].requests.isEmpty
        links.append(request, to: &lanes[lane].requests)
        if isFirst && !shares[application].blocked.contains(group.kind) { file(lane, requests) }
    }

    /// Takes the request out of its lane, in which it is.
    mutating func remove(
        _ request: RequestIndex, application: ApplicationIndex, group: ConditionClass, priority: WorkPriority,
        _ requests: RequestTable
    ) {
        guard let lane = lane(of: application, group, priority) else {
            preconditionFailure("a request leaves the lane that it is in")
        }
        let wasFirst = lanes[lane].requests.first == request
        links.remove(request, from: &lanes[lane].requests)
        guard wasFirst else { return }
        if lanes[lane].requests.isEmpty {
            unfile(lane)
            lanes.remove(lane, from: &shares[application].lanes)
            lanes.release(lane)
        } else if lanes[lane].isIn {
            file(lane, requests)
        }
    }

    /// The request that comes first of those of these kinds in these classes.
    func first(in kinds: KindSet, _ classes: ClassMask) -> Choice? {
        var best: (rank: Rank, choice: Choice)?
        var rest = kinds.rawValue
        while rest != 0 {
            let kind = rest.trailingZeroBitCount
            rest &= rest - 1
            guard let found = first(of: kind, classes) else { continue }
            if let best, !(found.rank < best.rank) { continue }
            best = found
        }
        return best?.choice
    }

    /// The one of this kind that comes first: of the highest priority, unless a lower one was passed too often.
    private func first(of kind: Int, _ classes: ClassMask) -> (rank: Rank, choice: Choice)? {
        let pattern = KindSet(rawValue: 1 << UInt8(kind)).pattern
        var heads = InlineArray<3, (rank: Rank, lane: LaneIndex)?>(repeating: nil)
        var waiting: UInt8 = 0
        for word in 0..<min(occupied.words.count, classes.words.count) {
            var rest = occupied.words[word] & classes.words[word] & pattern
            while rest != 0 {
                let group = word << 6 | rest.trailingZeroBitCount
                rest &= rest - 1
                for place in 0..<Self.priorities {
                    let heap = group * Self.priorities + place
                    guard let rank = heaps[heap].least, let lane = heaps[heap].first else { continue }
                    if let head = heads[place], !(rank < head.rank) { continue }
                    heads[place] = (rank, lane)
                    waiting |= 1 << UInt8(place)
                }
            }
        }
        guard waiting != 0 else { return nil }
        var place = Self.priorities - 1 - (waiting << (8 - UInt8(Self.priorities))).leadingZeroBitCount
        for lower in 0..<place
        where waiting & 1 << UInt8(lower) != 0 && passed[kind * Self.priorities + lower] >= WorkPriority.mostPassed {
            place = lower
            break
        }
        guard let head = heads[place], let request = lanes[head.lane].requests.first else { return nil }
        let choice = Choice(
            request: request, kind: kind, priority: lanes[head.lane].priority, waiting: waiting)
        return (head.rank, choice)
    }

    /// The request that was chosen starts: it went past those of lower priority.
    mutating func take(_ choice: Choice) {
        let (first, own) = (choice.kind * Self.priorities, Int(choice.priority.rawValue))
        passed[first + own] = 0
        for lower in 0..<own where choice.waiting & 1 << UInt8(lower) != 0 && passed[first + lower] < .max {
            passed[first + lower] += 1
        }
    }

    // MARK: Lanes

    private func lane(
        of application: ApplicationIndex, _ group: ConditionClass, _ priority: WorkPriority
    ) -> LaneIndex? {
        var next = shares[application].lanes.first
        while let lane = next, lanes[lane].group != group || lanes[lane].priority != priority {
            next = lanes.next(after: lane)
        }
        return next
    }

    private mutating func makeLane(
        of application: ApplicationIndex, _ group: ConditionClass, _ priority: WorkPriority
    ) -> LaneIndex {
        let lane = lanes.take(Lane(application: application, group: group, priority: priority))
        lanes.prepend(lane, to: &shares[application].lanes)
        return lane
    }

    private func rank(of lane: LaneIndex, _ requests: RequestTable) -> Rank {
        let (group, share) = (lanes[lane].group, shares[lanes[lane].application])
        let sequence = lanes[lane].requests.first.map { requests[$0].sequence } ?? .max
        guard group.kind != .continuedProcessing else { return Rank(usage: 0, running: 0, sequence: sequence) }
        return Rank(usage: share.usage, running: share.running, sequence: sequence)
    }

    // MARK: The heaps of lanes

    private func heap(of lane: Lane) -> Int {
        Int(lane.group.rawValue) * Self.priorities + Int(lane.priority.rawValue)
    }

    /// Puts the lane into its heap, or to its place in it.
    private mutating func file(_ lane: LaneIndex, _ requests: RequestTable) {
        let heap = heap(of: lanes[lane])
        while heaps.count < (Int(lanes[lane].group.rawValue) + 1) * Self.priorities { heaps.append(KeyedHeap()) }
        heaps[heap].set(lane, to: rank(of: lane, requests))
        guard !lanes[lane].isIn else { return }
        lanes[lane].isIn = true
        occupied[lanes[lane].group] = true
    }

    /// Takes the lane out of its heap, if it is in it.
    private mutating func unfile(_ lane: LaneIndex) {
        guard lanes[lane].isIn else { return }
        lanes[lane].isIn = false
        heaps[heap(of: lanes[lane])].remove(lane)
        let group = lanes[lane].group
        let first = Int(group.rawValue) * Self.priorities
        for heap in first..<first + Self.priorities where heaps[heap].count > 0 { return }
        occupied[group] = false
    }

    private mutating func refile(_ application: ApplicationIndex, _ requests: RequestTable) {
        var next = shares[application].lanes.first
        while let lane = next {
            if lanes[lane].isIn { file(lane, requests) }
            next = lanes.next(after: lane)
        }
    }
}

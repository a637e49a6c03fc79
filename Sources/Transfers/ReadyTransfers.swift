import TaskModel

enum RouteTag {}
/// A session's connections to one origin.
typealias RouteIndex = SlotIndex<RouteTag>
enum LaneTag {}
/// Transfers of one route and one class.
typealias LaneIndex = SlotIndex<LaneTag>

/// Transfers that are ready, and their order: among applications with room for another connection the one with the fewest,
/// then the one whose turn was longest ago; among its transfers whose class is open and whose route has room the one with
/// the highest priority, then the oldest.
struct ReadyTransfers: Sendable {
    private struct Route: Sendable, BitwiseCopyable {
        let key: UInt64
        let application: ApplicationIndex
        var bound: UInt16
        var running: UInt16 = 0
        /// Transfers that name it.
        var members: UInt32 = 0
        var lanes = SlotList<LaneIndex>()

        var isFull: Bool { running >= bound }
    }

    private struct Lane: Sendable, BitwiseCopyable {
        let route: RouteIndex
        let group: TransferClass
        /// Of its transfers.
        var root = KeyedForest<TransferIndex>.none
        /// It is in the heap of its application and class.
        var isIn = false
    }

    private struct Share: Sendable, BitwiseCopyable {
        /// Heaps of lanes, by class.
        var roots = SIMD8<UInt32>(repeating: .max)
        var running: UInt16 = 0
        /// When it last had its turn.
        var served: Int64 = 0
        var isBlocked = false
    }

    private let perApplication: Int
    private let perHost: Int
    private var routes = SlotTable<RouteIndex, Route>()
    private var byKey: [UInt64: RouteIndex] = [:]
    private var lanes = SlotTable<LaneIndex, Lane>()
    private var shares = Table<ApplicationIndex, Share>()
    private var waiting = KeyedForest<TransferIndex>()
    private var order = KeyedForest<LaneIndex>()
    /// Applications of which something may go now.
    private var eligible = SlotHeap<ApplicationIndex>()
    private var turns: Int64 = 0
    /// Classes that no condition blocks.
    private(set) var open: UInt8 = 0

    init(_ limits: TransferLimits) {
        perApplication = limits.share
        perHost = limits.perHost
    }

    // MARK: Applications and classes

    mutating func addApplication() { _ = shares.append(Share()) }

    /// Blocks all its transfers, or none.
    mutating func block(_ isBlocked: Bool, _ application: ApplicationIndex) {
        shares[application].isBlocked = isBlocked
        refile(application)
    }

    /// Takes time for each application.
    mutating func setOpen(_ mask: UInt8) {
        guard open != mask else { return }
        open = mask
        for application in shares.indices { refile(application) }
    }

    func running(of application: ApplicationIndex) -> Int { Int(shares[application].running) }
    func isFull(_ application: ApplicationIndex) -> Bool { running(of: application) >= perApplication }
    func isFull(_ route: RouteIndex) -> Bool { routes[route].isFull }

    // MARK: Routes

    /// The route of a transfer that comes.
    mutating func join(
        _ session: SessionIndex, origin: UInt32, _ application: ApplicationIndex, connections: UInt16
    ) -> RouteIndex {
        let key = UInt64(session.number) << 32 | UInt64(origin)
        let route: RouteIndex
        if let known = byKey[key] {
            route = known
        } else {
            route = routes.take(Route(key: key, application: application, bound: bound(connections)))
            byKey[key] = route
        }
        routes[route].members += 1
        return route
    }

    /// One of its transfers has ended.
    mutating func leave(_ route: RouteIndex) {
        routes[route].members -= 1
        guard routes[route].members == 0 else { return }
        byKey[routes[route].key] = nil
        routes.release(route)
    }

    mutating func setBound(of route: RouteIndex, connections: UInt16) {
        routes[route].bound = bound(connections)
        refile(lanesOf: route)
        refile(routes[route].application)
    }

    private func bound(_ connections: UInt16) -> UInt16 { max(1, min(connections, UInt16(clamping: perHost))) }

    /// An attempt begins or ends.
    mutating func addRunning(_ change: Int, _ route: RouteIndex) {
        let application = routes[route].application
        routes[route].running = UInt16(clamping: Int(routes[route].running) + change)
        shares[application].running = UInt16(clamping: Int(shares[application].running) + change)
        if change > 0 {
            turns += 1
            shares[application].served = turns
        }
        refile(lanesOf: route)
        refile(application)
    }

    // MARK: Transfers

    /// Adds a transfer to its lane, and returns the lane.
    mutating func insert(_ index: TransferIndex, rank: Int64, _ route: RouteIndex, _ group: TransferClass) -> LaneIndex
    {
        let lane = lane(of: route, group)
        unfile(lane)
        waiting.insert(index, key: rank, into: &lanes[lane].root)
        file(lane)
        refile(routes[route].application)
        return lane
    }

    mutating func remove(_ index: TransferIndex, from lane: LaneIndex) {
        let route = lanes[lane].route
        unfile(lane)
        waiting.remove(index, from: &lanes[lane].root)
        if lanes[lane].root == KeyedForest<TransferIndex>.none {
            lanes.remove(lane, from: &routes[route].lanes)
            lanes.release(lane)
        } else {
            file(lane)
        }
        refile(routes[route].application)
    }

    /// The one that comes first of all that may go.
    var first: TransferIndex? {
        guard let application = eligible.first else { return nil }
        var best: (rank: Int64, transfer: UInt32)?
        let roots = shares[application].roots
        for number in 0..<TransferClass.count where open & (1 << UInt8(number)) != 0 && roots[number] != .max {
            let rank = order.key(of: roots[number])
            guard best.map({ rank < $0.rank }) ?? true else { continue }
            best = (rank, lanes[LaneIndex(number: roots[number])].root)
        }
        return best.map { TransferIndex(number: $0.transfer) }
    }

    // MARK: Lanes

    private mutating func lane(of route: RouteIndex, _ group: TransferClass) -> LaneIndex {
        var next = routes[route].lanes.first
        while let lane = next {
            if lanes[lane].group == group { return lane }
            next = lanes.next(after: lane)
        }
        let lane = lanes.take(Lane(route: route, group: group))
        lanes.append(lane, to: &routes[route].lanes)
        return lane
    }

    private mutating func file(_ lane: LaneIndex) {
        let route = lanes[lane].route
        guard !routes[route].isFull, lanes[lane].root != KeyedForest<TransferIndex>.none else { return }
        let place = Int(lanes[lane].group.rawValue)
        let key = waiting.key(of: lanes[lane].root)
        order.insert(lane, key: key, into: &shares[routes[route].application].roots[place])
        lanes[lane].isIn = true
    }

    private mutating func unfile(_ lane: LaneIndex) {
        guard lanes[lane].isIn else { return }
        let place = Int(lanes[lane].group.rawValue)
        order.remove(lane, from: &shares[routes[lanes[lane].route].application].roots[place])
        lanes[lane].isIn = false
    }

    /// Adds the lanes of a route to the order, or removes them, after the route's room has changed.
    private mutating func refile(lanesOf route: RouteIndex) {
        var next = routes[route].lanes.first
        while let lane = next {
            if routes[route].isFull { unfile(lane) } else if !lanes[lane].isIn { file(lane) }
            next = lanes.next(after: lane)
        }
    }

    private mutating func refile(_ application: ApplicationIndex) {
        let share = shares[application]
        var mayGo = !share.isBlocked && share.running < perApplication
        if mayGo {
            mayGo = false
            for number in 0..<TransferClass.count where open & (1 << UInt8(number)) != 0 && share.roots[number] != .max
            {
                mayGo = true
            }
        }
        if mayGo {
            eligible.set(application, to: Int64(share.running) << 48 | share.served)
        } else {
            eligible.remove(application)
        }
    }
}

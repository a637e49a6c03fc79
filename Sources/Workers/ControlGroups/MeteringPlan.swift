package import TaskModel

/// When the host reads the trees that no control group meters, and how far it goes in one turn, over all of them together: what
/// an application starts decides how often it is read itself, and nothing else. It reads nothing; the caller lends the steps.
///
/// Thread: the host's loop thread only.
package struct MeteringPlan<Tree: Hashable> {
    /// Steps in one turn. Each reads one process.
    package static var mostSteps: Int { 64 }
    /// Steps of one tree before it is another's turn: most trees are read in one visit.
    package static var visit: Int { 16 }
    /// The shortest time from the beginning of a tree's walk to that of its next one.
    package static var shortest: TimeSpan { .milliseconds(50) }
    /// The part of a processor that the walks over all trees use at most.
    package static var share: Double { 0.05 }
    /// A tree that was not begun again for so long after it could be is not read any more, as one without a run.
    private static var patience: TimeSpan { .seconds(1) }

    /// One tree's walks.
    private struct Pace {
        /// When the next walk may begin.
        var due: Instant
        var began: Instant
        /// What the walk in progress has cost so far.
        var cost = TimeSpan.zero
    }

    private var paces: [Tree: Pace] = [:]
    /// Trees with walks in progress; the first one is next.
    private var queue: [Tree] = []
    private var steps = 0

    package init() {}

    /// No walk is in progress.
    package var isSettled: Bool { queue.isEmpty }

    /// Steps that are left in this turn.
    package var stepsLeft: Int { Self.mostSteps - steps }

    package mutating func beginTurn() { steps = 0 }

    /// The time from the beginning of a tree's walk to that of its next one: of `trees` each has the same part of the share, so
    /// that none waits for what another has started.
    ///
    /// - Parameter cost: processor time of the walk.
    package static func interval(after cost: TimeSpan, trees: Int) -> TimeSpan {
        let span = Double(cost.nanoseconds) * Double(max(1, trees)) / share
        return max(shortest, TimeSpan(nanoseconds: Int64(min(span, 1e18))))
    }

    /// Whether a walk over the tree is to begin now; then it is in progress.
    ///
    /// - Parameter isForced: even if it is not due, and anew if one is in progress.
    package mutating func begin(_ tree: Tree, at now: Instant, isForced: Bool = false) -> Bool {
        let isWalking = queue.contains(tree)
        if let pace = paces[tree], !isForced {
            guard !isWalking, pace.due <= now else { return false }
        }
        if !isWalking { queue.append(tree) }
        let cost = isWalking ? paces[tree]?.cost ?? .zero : .zero
        paces[tree] = Pace(due: now + Self.shortest, began: now, cost: cost)
        return true
    }

    /// Goes on with the walk over this tree, for one visit, as far as the turn allows.
    ///
    /// - Parameters:
    ///   - isTimeOver: the turn has no more time; asked after each step.
    ///   - clock: processor time of the thread.
    ///   - step: reads one more process of the tree; false: nothing is left.
    /// - Returns: whether the walk is over.
    package mutating func visit(
        _ tree: Tree, at now: Instant, isTimeOver: () -> Bool, clock: () -> TimeSpan, step: (Tree) -> Bool
    ) -> Bool {
        guard let place = queue.firstIndex(of: tree), stepsLeft > 0, steps == 0 || !isTimeOver() else { return false }
        queue.remove(at: place)
        let began = clock()
        let end = steps + min(Self.visit, stepsLeft)
        var hasMore = true
        repeat {
            steps += 1
            hasMore = step(tree)
        } while hasMore && steps < end && !isTimeOver()
        guard var pace = paces[tree] else { return !hasMore }
        pace.cost = pace.cost + (clock() - began)
        if hasMore {
            queue.append(tree)
        } else {
            pace.due = pace.began + Self.interval(after: pace.cost, trees: count(at: now))
        }
        paces[tree] = pace
        return !hasMore
    }

    /// Goes on with all walks in progress, in their order, as far as the turn allows, and by one step at least.
    ///
    /// - Returns: the trees whose walks are over.
    package mutating func advance(
        at now: Instant, isTimeOver: () -> Bool, clock: () -> TimeSpan, step: (Tree) -> Bool
    ) -> [Tree] {
        var over: [Tree] = []
        while let tree = queue.first, stepsLeft > 0, steps == 0 || !isTimeOver() {
            if visit(tree, at: now, isTimeOver: isTimeOver, clock: clock, step: step) { over.append(tree) }
        }
        return over
    }

    /// Trees that are being read at present, again and again.
    private func count(at now: Instant) -> Int { paces.values.count { now <= $0.due + Self.patience } }

    /// The tree is no more.
    package mutating func forget(_ tree: Tree) {
        paces[tree] = nil
        queue.removeAll { $0 == tree }
    }
}

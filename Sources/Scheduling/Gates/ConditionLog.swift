import TaskModel

/// When each obstacle came and went: the last 16 changes of each. What a request waited for is read from here when it
/// is asked, so that a change of conditions costs the same however many wait.
struct ConditionLog: Sendable {
    private static let length = 16

    private struct Change: Sendable, BitwiseCopyable {
        var time: Int64
        var stands: Bool
    }

    private var changes = [Change](
        repeating: Change(time: RequestSlot.none, stands: false), count: Obstacles.count * length)
    private var counts = [Int](repeating: 0, count: Obstacles.count)

    mutating func record(_ old: Obstacles, _ new: Obstacles, at time: Timestamp) {
        for number in 0..<Obstacles.count {
            let obstacle = Obstacles(rawValue: 1 << UInt16(number))
            let stands = new.contains(obstacle)
            guard old.contains(obstacle) != stands else { continue }
            changes[number * Self.length + counts[number] % Self.length] = Change(
                time: time.nanoseconds, stands: stands)
            counts[number] += 1
        }
    }

    /// When it last came or went; nil: it has always been as it is.
    func since(_ obstacle: Obstacles) -> Timestamp? {
        let number = obstacle.index
        guard counts[number] > 0 else { return nil }
        let last = changes[number * Self.length + (counts[number] - 1) % Self.length]
        return Timestamp(nanoseconds: last.time)
    }

    /// The spans within `from..<to` in which it stood, in order. What is older than the log counts as it was then.
    func spans(of obstacle: Obstacles, standsNow: Bool, from: Int64, to: Int64) -> [(from: Int64, to: Int64)] {
        let number = obstacle.index
        let known = min(counts[number], Self.length)
        var spans: [(from: Int64, to: Int64)] = []
        var stood = standsNow
        if known > 0 {
            stood = !changes[number * Self.length + (counts[number] - known) % Self.length].stands
        }
        var start = from
        for age in stride(from: known, to: 0, by: -1) {
            let change = changes[number * Self.length + (counts[number] - age) % Self.length]
            let time = min(max(change.time, from), to)
            if stood && !change.stands && time > start { spans.append((start, time)) }
            if change.stands { start = time }
            stood = change.stands
        }
        if stood && to > start { spans.append((start, to)) }
        return spans
    }
}

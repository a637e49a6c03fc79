import TaskModel

/// The last 16 changes of one obstacle. What a request waited for is read from here on demand, so that a change of
/// conditions costs the same regardless of the number of waiting requests.
struct ConditionLog: Sendable {
    private static let length = 16

    private struct Change: Sendable, BitwiseCopyable {
        var time: Int64
        var stands: Bool
    }

    private var changes: [Change] = []
    private var count = 0

    /// Nothing ever came or went.
    var isEmpty: Bool { count == 0 }

    mutating func record(_ stands: Bool, at time: Timestamp) {
        let change = Change(time: time.nanoseconds, stands: stands)
        if changes.count < Self.length { changes.append(change) } else { changes[count % Self.length] = change }
        count += 1
    }

    /// When it last came or went; nil: it has always been as it is.
    var since: Timestamp? {
        count == 0 ? nil : Timestamp(nanoseconds: changes[(count - 1) % Self.length].time)
    }

    /// The spans within `from..<to` in which it was present, in order. Before the log begins, the oldest known state is
    /// assumed.
    func spans(standsNow: Bool, from: Int64, to: Int64) -> [(from: Int64, to: Int64)] {
        let known = changes.count
        var spans: [(from: Int64, to: Int64)] = []
        var stood = standsNow
        if known > 0 { stood = !changes[(count - known) % Self.length].stands }
        var start = from
        for age in stride(from: known, to: 0, by: -1) {
            let change = changes[(count - age) % Self.length]
            let time = min(max(change.time, from), to)
            if stood && !change.stands && time > start { spans.append((start, time)) }
            if change.stands { start = time }
            stood = change.stands
        }
        if stood && to > start { spans.append((start, to)) }
        return spans
    }
}

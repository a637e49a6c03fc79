import Record
import TaskModel

/// The runs with the largest figures of those that were added: so many at most, and none above where a page before ended.
/// Of equal ones the newest is first.
struct LargestRuns {
    private struct Entry: Comparable {
        var value: Int64
        var place: Int64

        static func < (one: Entry, other: Entry) -> Bool { (one.value, one.place) < (other.value, other.place) }
    }

    let figure: MeasuredRun.Figure
    private let most: Int
    /// Smaller ones alone are wanted.
    private var limit: Entry?
    /// A heap with the smallest one first, which makes room.
    private var entries: [Entry] = []

    init(_ figure: MeasuredRun.Figure, most: Int) {
        self.figure = figure
        self.most = most
    }

    /// The page before ended with a run of that figure, at that place of the record.
    mutating func begin(below value: Int64, at place: Int64) { limit = Entry(value: value, place: place) }

    /// A run without the figure is none of them.
    mutating func add(_ run: MeasuredRun) {
        guard let value = run.value(of: figure) else { return }
        let entry = Entry(value: value, place: run.place)
        if let limit, entry >= limit { return }
        if entries.count < most {
            entries.append(entry)
            rise()
        } else if let least = entries.first, entry > least {
            entries[0] = entry
            sink()
        }
    }

    private mutating func rise() {
        var place = entries.count - 1
        while place > 0, entries[place] < entries[(place - 1) / 2] {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child] < entries[least] {
                least = child
            }
            guard least != place else { return }
            entries.swapAt(place, least)
            place = least
        }
    }

    var isFull: Bool { entries.count == most }

    /// The largest first.
    var places: [Int64] { entries.sorted(by: >).map(\.place) }
}

package import TaskModel

/// How often spans fell between bounds. Observing one allocates nothing.
package struct Histogram: Sendable {
    /// A run as an example of a bucket.
    package struct Example: Sendable {
        package var place: Int
        package var run: ULID
        package var span: TimeSpan
        package var at: Timestamp
    }

    /// Upper bounds, from the smallest on.
    package let bounds: [TimeSpan]
    /// One more than bounds: the last one is without a bound.
    package private(set) var counts: [UInt64]
    package private(set) var sum = TimeSpan.zero
    /// The newest that was given.
    package private(set) var example: Example?

    package init(_ bounds: [TimeSpan]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    /// - Parameter run: an example, and when it was.
    package mutating func observe(_ span: TimeSpan, run: (id: ULID, at: Timestamp)? = nil) {
        var place = 0
        while place < bounds.count, bounds[place] < span { place += 1 }
        counts[place] += 1
        sum = sum + span
        if let run { example = Example(place: place, run: run.id, span: span, at: run.at) }
    }

    /// Of runs and waits: 5 ms to an hour.
    package static let long = Histogram(
        [5, 25, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000].map {
            .milliseconds($0)
        })
    /// Of turns and commits: 50 µs to a second.
    package static let short = Histogram(
        [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 100_000, 1_000_000].map {
            TimeSpan(nanoseconds: $0 * 1000)
        })
    /// Of waits: a second to two weeks.
    package static let waits = Histogram(
        ([1, 10, 60, 300, 1800, 3600, 6 * 3600, 86_400, 7 * 86_400, 14 * 86_400] as [Int64]).map { .seconds($0) })
}

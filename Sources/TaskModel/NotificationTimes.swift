/// When an application's last notifications were delivered, as many as a rate limit may need.
package struct NotificationTimes: Sendable, BitwiseCopyable, Equatable {
    package static let most = 8
    private static let none = Int64.min

    /// Newest first, in nanoseconds of the calendar.
    private var times = SIMD8<Int64>(repeating: none)

    package init() {}

    /// - Parameter times: newest first; those beyond `most` are left out.
    package init(_ times: some Collection<Timestamp>) {
        for (place, time) in times.prefix(Self.most).enumerated() { self.times[place] = time.nanoseconds }
    }

    /// The newest but this many; nil: there were fewer.
    package subscript(_ place: Int) -> Timestamp? {
        guard place < Self.most, times[place] != Self.none else { return nil }
        return Timestamp(nanoseconds: times[place])
    }

    /// Newest first.
    package var list: [Timestamp] { (0..<Self.most).compactMap { self[$0] } }

    package var isEmpty: Bool { times[0] == Self.none }

    package mutating func add(_ time: Timestamp) {
        for place in (1..<Self.most).reversed() { times[place] = times[place - 1] }
        times[0] = time.nanoseconds
    }
}

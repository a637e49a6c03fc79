/// What is usual for a task: the last thirty runs, and a rule by which a person can tell that a run is unlike them.
///
/// - `longer`, `larger`: more than three times what nine of ten of them took or used.
/// - `shorter`: less than a third of what nine of ten of them took at least.
/// - `moreOften`: it began after less than a third of the time that lay at least between nine of ten of them.
/// - `lessOften`: it began after more than three times the longest time between them; under a calendar, which has gaps of its own,
///   after three of its times or more had passed without a run.
///
/// At least ten runs have to have the figure. Sizes and durations count of runs that succeeded, and are compared for these alone:
/// another outcome says enough. Times between beginnings count without the user's own starts and without retries, and only where
/// they are regular: nine of ten of them within three times of nine of ten at least. Below a second and 16 MiB a figure says more
/// about the machine than about the task. A run counts for the next ones also when it was unlike them, so a lasting change is
/// marked four times at most, and then it is usual.
package struct UsualRuns: Sendable {
    /// A run, as far as it is compared.
    package struct Sample: Sendable, BitwiseCopyable {
        package var startedAt: Timestamp?
        /// It was neither forced nor a retry.
        package var countsAsBeginning: Bool
        package var hasSucceeded: Bool
        package var wallTime: TimeSpan?
        package var peakMemory: ByteCount?

        package init(
            startedAt: Timestamp?, countsAsBeginning: Bool, hasSucceeded: Bool, wallTime: TimeSpan?,
            peakMemory: ByteCount?
        ) {
            self.startedAt = startedAt
            self.countsAsBeginning = countsAsBeginning
            self.hasSucceeded = hasSucceeded
            self.wallTime = wallTime
            self.peakMemory = peakMemory
        }
    }

    /// Figures of a run in twelve bytes: a host has thousands of tasks. `none`: it has no such figure.
    private struct Figures: BitwiseCopyable {
        static let none = UInt32.max
        /// Milliseconds.
        var wall = none
        /// Seconds since the beginning before it.
        var gap = none
        /// KiB.
        var peak = none
    }

    package static let most = 30
    package static let least = 10
    private static let factor: UInt64 = 3
    private static let millisecond: Int64 = 1_000_000
    private static let second: Int64 = 1_000_000_000
    /// Milliseconds, KiB.
    private static let leastWall: UInt32 = 1000
    private static let leastPeak: UInt32 = 16 << 10

    /// Newest last until it is full; then the oldest makes room at `next`.
    private var figures: [Figures] = []
    private var next = 0
    private var lastStart: Timestamp?

    package init() {}

    /// How the run differs from those before it; from now on it is one of them.
    ///
    /// - Parameters:
    ///   - hasCalendar: the task has a schedule by the calendar.
    ///   - timesPassed: how many of its times lie after the first moment and not after the second.
    /// - Complexity: one pass over the runs for each figure, without an allocation, for a run that is as usual.
    package mutating func judge(
        _ run: Sample, hasCalendar: Bool, timesPassed: (_ after: Timestamp, _ until: Timestamp) -> Int
    ) -> [RunDifference] {
        let new = measure(run)
        defer { append(new, run) }
        return differences(of: new, from: run.startedAt, hasCalendar, timesPassed)
    }

    private func differences(
        of new: Figures, from start: Timestamp?, _ hasCalendar: Bool, _ timesPassed: (Timestamp, Timestamp) -> Int
    ) -> [RunDifference] {
        guard figures.count >= Self.least else { return [] }
        var found: [RunDifference] = []
        if new.wall >= Self.leastWall, isFarAbove(new.wall, { $0.wall }) {
            found.append(difference(.longer, new.wall, high { $0.wall }, Self.millisecond))
        } else if isFarBelow(new.wall, { $0.wall }, from: Self.leastWall) {
            found.append(difference(.shorter, new.wall, low { $0.wall }, Self.millisecond))
        }
        if new.peak >= Self.leastPeak, isFarAbove(new.peak, { $0.peak }) {
            found.append(difference(.larger, new.peak, high { $0.peak }, 1024))
        }
        let isLate = hasCalendar && isAboveAll(new.gap)
        if let difference = isLate ? late(new.gap, start, timesPassed) : often(new.gap, hasCalendar) {
            found.append(difference)
        }
        return found
    }

    /// By the times of its calendar, which has gaps of its own.
    private func late(
        _ gap: UInt32, _ start: Timestamp?, _ timesPassed: (Timestamp, Timestamp) -> Int
    ) -> RunDifference? {
        guard let lastStart, let start else { return nil }
        let times = timesPassed(lastStart, start)
        return times > Self.factor ? difference(.lessOften, gap, gap / UInt32(times), Self.second) : nil
    }

    private func often(_ gap: UInt32, _ hasCalendar: Bool) -> RunDifference? {
        if isFarBelow(gap, { $0.gap }), isRegular { return difference(.moreOften, gap, low { $0.gap }, Self.second) }
        if !hasCalendar, isFarAbove(gap, { $0.gap }), isRegular {
            let longest = sorted { $0.gap }.last ?? gap
            guard UInt64(gap) > Self.factor * UInt64(longest) else { return nil }
            return difference(.lessOften, gap, longest, Self.second)
        }
        return nil
    }

    private var isRegular: Bool { UInt64(high { $0.gap }) <= Self.factor * UInt64(low { $0.gap }) }

    private func difference(
        _ kind: RunDifference.Kind, _ value: UInt32, _ usual: UInt32, _ unit: Int64
    ) -> RunDifference {
        RunDifference(kind, value: Int64(value) * unit, usual: Int64(usual) * unit)
    }

    package mutating func append(_ run: Sample) { append(measure(run), run) }

    private mutating func append(_ new: Figures, _ run: Sample) {
        if run.countsAsBeginning, let start = run.startedAt { lastStart = start }
        guard figures.count == Self.most else {
            if figures.isEmpty { figures.reserveCapacity(Self.most) }
            return figures.append(new)
        }
        figures[next] = new
        next = (next + 1) % Self.most
    }

    private func measure(_ run: Sample) -> Figures {
        var new = Figures()
        if run.hasSucceeded {
            if let wall = run.wallTime { new.wall = Self.clamped(wall.nanoseconds / Self.millisecond) }
            if let peak = run.peakMemory { new.peak = Self.clamped(Int64(clamping: peak.bytes >> 10)) }
        }
        // A clock that was set back says nothing.
        if run.countsAsBeginning, let start = run.startedAt, let lastStart, start > lastStart {
            new.gap = Self.clamped((start - lastStart).nanoseconds / Self.second)
        }
        return new
    }

    private static func clamped(_ number: Int64) -> UInt32 {
        UInt32(clamping: min(max(0, number), Int64(UInt32.max - 1)))
    }

    // MARK: Ranks

    private typealias Figure = (Figures) -> UInt32

    /// More than three times what nine of ten do not pass; false without enough runs.
    private func isFarAbove(_ value: UInt32, _ figure: Figure) -> Bool {
        nineOfTen(value, figure) { UInt64(value) > Self.factor * UInt64($0) }
    }

    /// Less than a third of what nine of ten reach, which is no less than `least`.
    private func isFarBelow(_ value: UInt32, _ figure: Figure, from least: UInt32 = 0) -> Bool {
        nineOfTen(value, figure) { $0 >= least && UInt64(value) * Self.factor < UInt64($0) }
    }

    private func nineOfTen(_ value: UInt32, _ figure: Figure, _ fits: (UInt32) -> Bool) -> Bool {
        guard value != Figures.none else { return false }
        var (count, fitting) = (0, 0)
        // Fewer runs with the figure allow for fewer that do not fit: nearly every run is as usual, and known to be soon.
        let most = figures.count - Self.nineTenths(of: figures.count)
        for entry in figures {
            let one = figure(entry)
            guard one != Figures.none else { continue }
            count += 1
            if fits(one) {
                fitting += 1
            } else if count - fitting > most {
                return false
            }
        }
        return count >= Self.least && fitting >= Self.nineTenths(of: count)
    }

    private func isAboveAll(_ gap: UInt32) -> Bool {
        guard gap != Figures.none else { return false }
        var count = 0
        for one in figures where one.gap != Figures.none {
            guard one.gap < gap else { return false }
            count += 1
        }
        return count >= Self.least
    }

    private static func nineTenths(of count: Int) -> Int { (count * 9 + 9) / 10 }

    /// What nine of ten do not pass, and what nine of ten reach; for a figure that enough runs have.
    private func high(_ figure: Figure) -> UInt32 {
        let values = sorted(figure)
        return values[Self.nineTenths(of: values.count) - 1]
    }

    private func low(_ figure: Figure) -> UInt32 {
        let values = sorted(figure)
        return values[values.count - Self.nineTenths(of: values.count)]
    }

    private func sorted(_ figure: Figure) -> [UInt32] { figures.map(figure).filter { $0 != Figures.none }.sorted() }
}

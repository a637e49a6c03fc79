package import TaskModel

/// When work that may wait is let run: inside the windows that are meant to be open, and outside of those that are meant to
/// be closed. Without any of the first kind all other time is open.
package struct WorkWindows: Sendable, Equatable {
    private struct Window: Sendable, Equatable {
        let times: CalendarTimes
        /// Nanoseconds.
        let length: Int64
        let isClosed: Bool

        func contains(_ time: Int64) -> Bool {
            times.next(after: time.subtractingWithSaturation(length)).map { $0 <= time } ?? false
        }

        /// Its next begin or end; those of one that begins again before its end are among them.
        func mark(after time: Int64) -> Int64? {
            let end = times.next(after: time.subtractingWithSaturation(length))?.addingWithSaturation(length)
            guard let begin = times.next(after: time) else { return end }
            return end.map { min($0, begin) } ?? begin
        }
    }

    /// How many matching times are tried to find the next edge.
    private static let reach = 64

    private let windows: [Window]
    private let isOpenOutside: Bool

    /// - Parameter zone: the rules of a zone by its name, of the machine's own by nil.
    /// - Returns: nil: the rules of a time zone are unknown.
    package init?(_ definitions: [WindowDefinition], zone: (String?) -> TimeZoneRules?) {
        var windows: [Window] = []
        for definition in definitions {
            guard let rules = zone(definition.timeZone) else { return nil }
            windows.append(
                Window(
                    times: CalendarTimes(expression: definition.from, zone: rules),
                    length: definition.length.nanoseconds, isClosed: definition.isClosed))
        }
        self.windows = windows
        isOpenOutside = windows.allSatisfy(\.isClosed)
    }

    package func isOpen(at time: Timestamp) -> Bool { isOpen(at: time.nanoseconds) }

    private func isOpen(at time: Int64) -> Bool {
        if windows.contains(where: { $0.isClosed && $0.contains(time) }) { return false }
        return isOpenOutside || windows.contains { !$0.isClosed && $0.contains(time) }
    }

    /// When they open or close next. With false: not before that time; compute again then.
    ///
    /// - Returns: nil: never again before the year 2262, where timestamps end.
    package func next(after time: Timestamp) -> (at: Timestamp, isEdge: Bool)? {
        let wasOpen = isOpen(at: time)
        var last = time.nanoseconds
        for _ in 0..<Self.reach {
            guard let mark = windows.compactMap({ $0.mark(after: last) }).min() else { return nil }
            last = mark
            if isOpen(at: mark) != wasOpen { return (Timestamp(nanoseconds: mark), true) }
        }
        return (Timestamp(nanoseconds: last), false)
    }

    /// Sets the state at a time in the conditions, and until when it holds.
    package func tell(_ conditions: inout DeviceConditions, at time: Timestamp) {
        conditions.windowClosed = Tristate(!isOpen(at: time))
        conditions.windowEdge = next(after: time).flatMap { $0.isEdge ? $0.at : nil }
    }

    /// Times at which they open or close, after one and before another.
    package func edges(after start: Timestamp, before end: Timestamp) -> [Timestamp] {
        var edges: [Timestamp] = []
        var last = start
        while let next = next(after: last), next.at < end {
            if next.isEdge { edges.append(next.at) }
            last = next.at
        }
        return edges
    }
}

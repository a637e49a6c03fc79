/// At most eight events of one run, in order, without an allocation.
package struct RunEvents: Sendable, BitwiseCopyable {
    private var storage: InlineArray<8, RunEvent> = .init(
        repeating: RunEvent(kind: .submitted, at: Timestamp(nanoseconds: 0)))
    package private(set) var count = 0

    package init() {}

    /// Lends the events, in order.
    package func withSpan<R, E: Error>(_ body: (Span<RunEvent>) throws(E) -> R) throws(E) -> R {
        try body(storage.span.extracting(first: count))
    }

    /// Adds the next one. There is room for one of each kind.
    package mutating func append(_ kind: RunEvent.Kind, at time: Timestamp, detail: UInt8 = 0) {
        storage[count] = RunEvent(kind: kind, at: time, detail: detail)
        count += 1
    }
}

extension RunEvents: Equatable {
    package static func == (a: RunEvents, b: RunEvents) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.storage[$0] == b.storage[$0] }
    }
}

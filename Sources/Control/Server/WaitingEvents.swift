/// The events that one client has yet to take. It may never have all, so that those which it took are dropped as more come.
struct WaitingEvents {
    private let held: HeldEvents
    private var events: [StreamedEvent] = []
    /// Those before it were taken.
    private var start = 0
    /// Bytes of the first one that were taken.
    private var taken = 0
    /// Bytes.
    private(set) var count = 0

    init(_ held: HeldEvents) { self.held = held }

    mutating func append(_ event: StreamedEvent) {
        // At half: each is moved once at most for each one that is added.
        if start > 0, start >= events.count - start {
            events.removeFirst(start)
            start = 0
        }
        events.append(event)
        held.hold(event)
        count += event.bytes.count
    }

    mutating func removeAll() {
        for event in events[start...] { held.release(event) }
        events = []
        (start, taken, count) = (0, 0, 0)
    }

    /// Copies as much as there is, `room` bytes at most.
    mutating func take(into buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
        var copied = 0
        while start < events.count, copied < room {
            let event = events[start]
            let portion = min(room - copied, event.bytes.count - taken)
            unsafe event.bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(start: buffer + copied, count: portion).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + portion]))
            }
            copied += portion
            taken += portion
            guard taken == event.bytes.count else { break }
            held.release(event)
            start += 1
            taken = 0
        }
        count -= copied
        if start == events.count {
            events.removeAll(keepingCapacity: start < 256)
            start = 0
        }
        return copied
    }
}

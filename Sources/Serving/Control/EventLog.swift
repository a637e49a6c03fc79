import Control
import TaskModel

/// The newest events, for clients that reconnect: the events they missed, if these are still known. Loop thread only.
///
/// The numbers of events start at the host's start in microseconds since 1970, so that the numbers of an earlier host are
/// recognized.
struct EventLog {
    struct Event {
        var event: StreamedEvent
        /// The run that it is about.
        var run: String?
    }

    /// The largest number of events, and of bytes of their data: less than a stream takes at once.
    static let mostEvents = Limit.events.most
    static let mostBytes = Limit.eventBytes.most

    /// nil: it is forgotten.
    private var events: [Event?] = []
    /// Earlier events are gone.
    private var start = 0
    private var bytes = 0
    /// Every event after this one is here.
    private var floor: UInt64
    private var next: UInt64

    init(from number: UInt64) {
        floor = number
        next = number + 1
    }

    /// The number of the newest event: a client that comes back with it has missed nothing before it.
    var newest: UInt64 { next - 1 }

    /// A number for an event that is not kept.
    mutating func number() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Keeps an event, and forgets the oldest for it.
    ///
    /// - Returns: the event, with its number.
    mutating func add(_ name: String, run: String?, _ data: [UInt8]) -> StreamedEvent {
        let event = StreamedEvent(name, id: number(), data: data)
        events.append(Event(event: event, run: run))
        bytes += data.count
        while events.count - start > Self.mostEvents || bytes > Self.mostBytes, let oldest = events[start] {
            floor = oldest.event.id
            bytes -= oldest.event.data.count
            events[start] = nil
            start += 1
        }
        if start >= Self.mostEvents {
            events.removeFirst(start)
            start = 0
        }
        return event
    }

    /// Events were not kept for a while: any client may have missed some.
    mutating func forget() {
        events.removeAll()
        (start, bytes) = (0, 0)
        floor = number()
    }

    /// The events after an event; nil: some are unknown.
    func events(after id: String) -> [Event]? {
        guard let id = UInt64(id), id >= floor, id < next else { return nil }
        return events[start...].compactMap(\.self).filter { $0.event.id > id }
    }
}

import JSON

/// Reads a `text/event-stream` piece by piece (WHATWG HTML §9.2). Bounded: a host that sends nonsense fills no memory.
struct EventReader {
    private static let eventBytes = 1 << 20

    private var pending: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var events: [HostEvent] = []
    private var handed = 0
    private(set) var hasBegun = false
    /// An event is longer than any of ours.
    private(set) var isOverfull = false

    /// Data that were not a whole line: the text of a refusal.
    var rest: [UInt8] { pending }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        hasBegun = true
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            pending.append(contentsOf: bytes[start..<end])
            take(pending)
            pending.removeAll(keepingCapacity: true)
            start = end + 1
        }
        pending.append(contentsOf: bytes[start...])
        if pending.count > Self.eventBytes || data.count > Self.eventBytes { isOverfull = true }
    }

    /// The next whole event.
    mutating func next() -> HostEvent? {
        guard handed < events.count else {
            events.removeAll(keepingCapacity: true)
            handed = 0
            return nil
        }
        handed += 1
        return events[handed - 1]
    }

    private mutating func take(_ line: [UInt8]) {
        if line.isEmpty {
            // Data that are not a JSON object are not an event of our host.
            if !name.isEmpty, let value = try? JSONParser.parse(data, maximumBytes: Self.eventBytes) {
                events.append(HostEvent(name: name, data: value))
            }
            name = ""
            data.removeAll(keepingCapacity: true)
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": data.append(contentsOf: value)
        default: break  // id and retry: a client that was dropped asks anew for everything
        }
    }
}

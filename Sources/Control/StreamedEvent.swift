/// One event as each client of the stream gets it: made once, and held once, however many have yet to take it.
///
/// *Thread*: the loop's.
package final class StreamedEvent {
    package let id: UInt64
    package let name: String
    /// The whole text.
    let bytes: [UInt8]
    private let dataStart: Int
    /// Clients that have yet to take it.
    fileprivate(set) var holders = 0

    /// - Parameter data: one line of JSON.
    package init(_ name: String, id: UInt64, data: [UInt8]) {
        self.id = id
        self.name = name
        let head = "event: \(name)\nid: \(id)\ndata: "
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + data.count + 2)
        bytes += head.utf8
        dataStart = bytes.count
        bytes += data
        bytes += [0x0A, 0x0A]
        self.bytes = bytes
    }

    package var data: ArraySlice<UInt8> { bytes[dataStart..<bytes.count - 2] }

    /// What it takes, with what belongs to it.
    var size: Int { bytes.count + 64 }
}

/// The events that clients have yet to take, of all clients together.
final class HeldEvents {
    /// Each event counts once.
    private(set) var bytes = 0

    func hold(_ event: StreamedEvent) {
        event.holders += 1
        if event.holders == 1 { bytes += event.size }
    }

    func release(_ event: StreamedEvent) {
        event.holders -= 1
        if event.holders == 0 { bytes -= event.size }
    }
}

import TaskModel

/// The last delays of each application's requests, newest first.
struct HoldLog: Sendable {
    private static let length: UInt64 = 4096

    struct Hold: Sendable, BitwiseCopyable {
        var gate: Gate
        /// The task of a `manifest`, the request's slot of an `overlap`; 0 for what concerns the whole application.
        var subject: UInt32
        var from: Int64
        var to: Int64
        /// Number of the application's hold before it; 0: none.
        var previous: UInt64
    }

    private var holds: [Hold] = []
    /// Number of the newest; they count from 1.
    private var newest: UInt64 = 0

    /// Notes a hold that is over and gives its number.
    mutating func add(_ gate: Gate, _ subject: UInt32, from: Int64, to: Int64, after previous: UInt64) -> UInt64 {
        let hold = Hold(gate: gate, subject: subject, from: from, to: to, previous: previous)
        newest += 1
        let place = Int((newest - 1) % Self.length)
        if place < holds.count { holds[place] = hold } else { holds.append(hold) }
        return newest
    }

    subscript(number: UInt64) -> Hold? {
        guard number > 0, number <= newest, newest - number < Self.length else { return nil }
        return holds[Int((number - 1) % Self.length)]
    }
}

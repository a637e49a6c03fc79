internal import CTaskHost

/// The background time that the application's process holds.
struct AssertionTable {
    struct Entry {
        var id: UInt64
        var name: String
        /// nil once it was called.
        var expired: (@Sendable () -> Void)?
    }

    var held: [Entry] = []
    private var lastID: UInt64 = 0
    /// Handlers were called: none begins before background time begins anew.
    var wasWarned = false

    mutating func begin(_ name: String, _ expired: (@Sendable () -> Void)?) -> UInt64 {
        lastID += 1
        held.append(Entry(id: lastID, name: name, expired: expired))
        return lastID
    }

    mutating func end(_ id: UInt64) -> Bool {
        guard let place = held.firstIndex(where: { $0.id == id }) else { return false }
        held.remove(at: place)
        return true
    }

    /// The handler of an assertion that is still held; it is called once.
    mutating func takeHandler(of id: UInt64) -> (@Sendable () -> Void)? {
        guard let place = held.firstIndex(where: { $0.id == id }) else { return nil }
        defer { held[place].expired = nil }
        return held[place].expired
    }
}

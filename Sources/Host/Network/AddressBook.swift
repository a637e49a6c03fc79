import TaskModel

/// What the names of one manifest stand for. Pure: it is told the time.
struct AddressBook {
    /// Answers are good enough for another worker for so long: the C library does not tell how long the server meant them.
    static let freshness = TimeSpan.seconds(60)
    /// While a worker lives, names are asked for again after so long.
    static let renewal = TimeSpan.minutes(5)
    /// An address stays granted for so long after it was answered last: servers name a part of their addresses at a time,
    /// and who was given one may still use it.
    static let remembrance = TimeSpan.minutes(60)
    /// Addresses that a name keeps; the oldest go first.
    static let mostAddresses = 64

    let names: [String]
    /// When all were answered, or given up.
    private(set) var asked: Instant?
    private var answers: [String: [NetworkAddress]] = [:]
    private var seen: [String: [NetworkAddress: Instant]] = [:]

    init(names: [String]) { self.names = names }

    func isFresh(at now: Instant) -> Bool { asked.map { now - $0 < Self.freshness } ?? false }

    /// Every name has an address, be it a while old.
    var isComplete: Bool { names.allSatisfy { !current($0).isEmpty } }

    /// Takes the answers. A name without any keeps its last ones: a server that is away takes nothing from anybody.
    mutating func take(_ found: [String: [NetworkAddress]], at now: Instant) {
        asked = now
        for name in names {
            let addresses = found[name] ?? []
            if !addresses.isEmpty { answers[name] = addresses }
            var times = seen[name] ?? [:]
            for address in addresses { times[address] = now }
            times = times.filter { now - $0.value <= Self.remembrance || answers[name]?.contains($0.key) == true }
            if times.count > Self.mostAddresses {
                let kept = times.sorted { $0.value > $1.value }.prefix(Self.mostAddresses)
                times = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
            }
            seen[name] = times
        }
    }

    /// Of the last answer that had any, in its order.
    func current(_ name: String) -> [NetworkAddress] { answers[name] ?? [] }

    /// Those that may be connected to.
    var granted: [String: [NetworkAddress]] { seen.mapValues { Array($0.keys) } }
}

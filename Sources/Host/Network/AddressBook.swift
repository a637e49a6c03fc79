import TaskModel

/// The addresses of one manifest's names. Pure: callers pass the time.
struct AddressBook {
    /// How long answers are good for another worker: the C library does not return their time to live.
    static let freshness = TimeSpan.seconds(60)
    /// How often names are resolved again while a worker lives.
    static let renewal = TimeSpan.minutes(5)
    /// How long an address stays granted after its last answer: servers return only some of their addresses at a time, and a
    /// worker may still use an earlier one.
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

    /// Stores the answers. A name without any keeps its last ones: an unreachable server takes no grant away.
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

/// What an application's unfinished files hold of its disk, and what attempts in progress have reserved: bytes, by the
/// transfers' numbers.
struct PartLedger {
    private var bytes: [Int64: UInt64] = [:]
    /// Parts of transfers that are over, which another task may continue.
    private var kept: Set<Int64> = []
    private(set) var sum: UInt64 = 0

    /// - Parameter isKept: its transfer is over.
    mutating func set(_ id: Int64, _ size: UInt64, isKept: Bool = false) {
        sum -= bytes[id] ?? 0
        bytes[id] = size == 0 ? nil : min(size, .max - sum)
        sum += bytes[id] ?? 0
        if isKept && size > 0 { kept.insert(id) } else { kept.remove(id) }
    }

    /// All but this one's.
    func others(than id: Int64) -> UInt64 { sum - (bytes[id] ?? 0) }

    /// What this one has or has reserved.
    subscript(id: Int64) -> UInt64 { bytes[id] ?? 0 }

    /// The oldest part that nobody writes, other than this one's; nil: there is none.
    func oldestKept(but id: Int64) -> Int64? { kept.lazy.filter { $0 != id }.min() }
}

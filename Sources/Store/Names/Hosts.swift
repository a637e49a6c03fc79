import Record
import TaskModel

/// Hosts of a record, by number.
enum Hosts {
    /// The host that made the record.
    static let first: Int64 = 1
}

extension Database {
    /// The number of a host, which is added if it has none; nil: the first one's.
    func number(of host: HostID?) throws(StoreError) -> (number: Int64, id: HostID) {
        guard let host else { return (Hosts.first, try firstHost()) }
        try run("INSERT OR IGNORE INTO hosts (name) VALUES (?1)", host)
        let find = try Statement(self, "SELECT id FROM hosts WHERE name = ?1", what: "find a host")
        find.bind(values: host.bytes)
        return (try find.first() ?? Hosts.first, host)
    }

    /// Without a sound id in the record it gets a new one: nothing but its number refers to it.
    private func firstHost() throws(StoreError) -> HostID {
        let find = try Statement(self, "SELECT name FROM hosts WHERE id = \(Hosts.first)", what: "find a host")
        let name = try find.next() ? find.id(0) : nil
        find.reset()
        if let name { return HostID(high: name.high, low: name.low) }
        let new = HostID.random()
        try run("REPLACE INTO hosts VALUES (\(Hosts.first), ?1)", new)
        return new
    }

    private func run(_ change: String, _ host: HostID) throws(StoreError) {
        let statement = try Statement(self, change, what: "record a host")
        statement.bind(values: host.bytes)
        try statement.run()
    }
}

extension HostID {
    /// As the record has them, the highest first.
    fileprivate var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) }
    }
}

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
        let add = try Statement(self, "INSERT OR IGNORE INTO hosts (name) VALUES (?1)", what: "record a host")
        add.bind(values: host.bytes)
        try add.run()
        let find = try Statement(self, "SELECT id FROM hosts WHERE name = ?1", what: "find a host")
        find.bind(values: host.bytes)
        guard let number = try find.first() else { throw Self.unknownHost(in: path) }
        return (number, host)
    }

    /// Without a sound id in the record it gets a new one: nothing but its number refers to it.
    private func firstHost() throws(StoreError) -> HostID {
        if let known = try nameOfFirstHost() { return known }
        try execute("REPLACE INTO hosts VALUES (\(Hosts.first), randomblob(16))", what: "record a host")
        guard let new = try nameOfFirstHost() else { throw Self.unknownHost(in: path) }
        return new
    }

    private func nameOfFirstHost() throws(StoreError) -> HostID? {
        let find = try Statement(self, "SELECT name FROM hosts WHERE id = \(Hosts.first)", what: "find a host")
        defer { find.reset() }
        return try find.next() ? find.id(0).map { HostID(high: $0.high, low: $0.low) } : nil
    }

    /// What was written is not there.
    private static func unknownHost(in path: String) -> StoreError {
        StoreError(.broken, what: "find a host", path: path, message: "it was recorded a moment ago")
    }
}

extension HostID {
    /// As the record has them, the highest first.
    fileprivate var bytes: [UInt8] {
        ULID(high: high, low: low).bytes
    }
}

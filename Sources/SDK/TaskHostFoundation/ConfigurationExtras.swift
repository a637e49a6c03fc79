internal import Synchronization

/// Properties of a session's configuration that iOS has and Linux lacks, stored outside the object. A session's own copy of
/// its configuration, which Foundation makes, therefore has the defaults.
enum ConfigurationExtras {
    struct Values: Sendable {
        var sendsLaunchEvents = true
        var waitsForConnectivity = false
        var container: String?
        var allowsExpensive = true
        var allowsConstrained = true
    }

    private struct Entry {
        weak var owner: URLSessionConfiguration?
        var values = Values()
    }

    private struct Table {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// When dead entries are removed next; twice the number that was left the last time.
        var limit = 16
    }

    private static let table = Mutex(Table())

    static func values(of configuration: URLSessionConfiguration) -> Values {
        table.withLock { table in
            // A released object may have left its address to this one.
            guard let entry = table.entries[ObjectIdentifier(configuration)], entry.owner === configuration else {
                return Values()
            }
            return entry.values
        }
    }

    static func change(_ configuration: URLSessionConfiguration, _ change: (inout Values) -> Void) {
        var values = values(of: configuration)
        change(&values)
        let entry = Entry(owner: configuration, values: values)
        table.withLock { table in
            table.entries[ObjectIdentifier(configuration)] = entry
            guard table.entries.count > table.limit else { return }
            table.entries = table.entries.filter { $0.value.owner != nil }
            table.limit = max(16, table.entries.count * 2)
        }
    }
}

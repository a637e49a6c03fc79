import Linux
import TaskModel
import Workers

/// The network access of an application with grants, for one version of its manifest.
final class NetworkHold {
    let grants: [NetworkGrant]
    /// nil where the kernel enforces no addresses: then only ports are enforced.
    let connectGuard: ConnectGuard?
    var book: AddressBook
    /// Its names are being resolved.
    var isAsking = false
    private var rules: ConnectRules

    init(_ grants: [NetworkGrant], makeGuard: (ConnectRules, _ capacity: Int) -> ConnectGuard?) {
        self.grants = grants
        let names = grants.compactMap { if case .name(let name) = $0.host { name } else { nil } }
        book = AddressBook(names: Set(names).sorted())
        rules = Self.rules(grants, AddressBook(names: []))
        // A name that several grants share counts for each.
        connectGuard = makeGuard(rules, rules.entries.count + names.count * AddressBook.mostAddresses + 16)
    }

    private static func rules(_ grants: [NetworkGrant], _ book: AddressBook) -> ConnectRules {
        let findsHosts = grants.contains { $0.host == .any }
        return ConnectRules(grants, addresses: book.granted, nameServers: findsHosts ? NameServers.current() : [])
    }

    /// Brings the kernel's map in line with the book and the machine's name servers.
    ///
    /// - Throws: the resulting grants are a part of the former ones.
    func update() throws(SystemError) {
        let wanted = Self.rules(grants, book)
        guard wanted != rules, let connectGuard else { return }
        try connectGuard.update(wanted)
        rules = wanted
    }

    /// TCP ports; 0 for every port. With `*` a worker asks name servers itself.
    var ports: [UInt16] {
        let ports = Set(grants.map { $0.port ?? 0 } + (grants.contains { $0.host == .any } ? [53] : []))
        return ports.contains(0) ? [0] : ports.sorted()
    }

    /// A grant names a host, so enforcing ports alone allows more than it says.
    var namesHosts: Bool { grants.contains { $0.host != .any } }

    /// The answers of a worker's getaddrinfo: names with those of their addresses that it may use.
    var hosts: [String] {
        book.names.map { name in
            ([name] + usable(name).prefix(Self.mostTold).map(\.description)).joined(separator: " ")
        }
    }

    /// How many addresses of a name a worker receives: more would not help, and a frame has a limit.
    private static let mostTold = 8

    /// Explanations for the user when a name cannot be reached.
    var notes: [String] {
        book.names.compactMap { name in
            guard usable(name).isEmpty else { return nil }
            guard let address = book.current(name).first else {
                return "\(name) has no address at present; connections to it are refused until a later worker finds one"
            }
            return "\(name) leads to \(address), which is not public; grant the address itself to reach it"
        }
    }

    private func usable(_ name: String) -> [NetworkAddress] {
        // Without a guard only ports are enforced, and the addresses are only a convenience.
        book.current(name).filter { address in
            connectGuard == nil || ConnectRules.covers(name, address)
                || grants.contains { rules.allows(address, port: $0.port ?? 1) }
        }
    }
}

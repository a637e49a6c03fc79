internal import CTaskHost

/// The default routes, as the files of proc(5) list them. A worker may read these; the socket that announces changes,
/// of rtnetlink(7), is closed to it.
package struct RouteTable: Sendable {
    /// A default route.
    struct Route: Sendable {
        var interface: String
        var metric: UInt64
        var isIPv6: Bool
    }

    private(set) var routes: [Route] = []
    /// The names of wireless interfaces.
    private(set) var wireless: Set<String> = []

    /// The kernel's, now.
    package static func read() -> RouteTable {
        func text(_ name: String) -> String {
            (try? String(contentsOf: URL(fileURLWithPath: "/proc/self/net/\(name)"), encoding: .utf8)) ?? ""
        }
        return RouteTable(ipv4: text("route"), ipv6: text("ipv6_route"), wireless: text("wireless"))
    }

    /// - Parameters:
    ///   - ipv4: the contents of `route`.
    ///   - ipv6: the contents of `ipv6_route`.
    ///   - wireless: the contents of `wireless`.
    package init(ipv4: String, ipv6: String, wireless: String) {
        for line in ipv4.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000", Self.isUsable(fields[3]) else {
                continue
            }
            routes.append(Route(interface: String(fields[0]), metric: UInt64(fields[6]) ?? 0, isIPv6: false))
        }
        for line in ipv6.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 10, fields[1] == "00", fields[0].allSatisfy({ $0 == "0" }), Self.isUsable(fields[8])
            else { continue }
            routes.append(Route(interface: String(fields[9]), metric: UInt64(fields[5], radix: 16) ?? 0, isIPv6: true))
        }
        routes.sort { $0.metric < $1.metric }
        // Two lines of headings; then a name and a colon.
        for line in wireless.split(separator: "\n").dropFirst(2) {
            if let name = line.split(separator: ":").first { self.wireless.insert(name.filter { !$0.isWhitespace }) }
        }
    }

    /// Whether the flags say that a route is up and leads somewhere: RTF_UP, and not RTF_REJECT.
    private static func isUsable(_ flags: Substring) -> Bool {
        guard let flags = UInt32(flags, radix: 16) else { return false }
        return flags & 0x1 != 0 && flags & 0x200 == 0
    }
}

extension RouteTable {
    /// The path over interfaces of kinds that `isAllowed` accepts.
    /// - Parameter network: the machine's network as the host sees it, `TASKHOST_NETWORK_…`.
    package func path(
        network: UInt32 = TASKHOST_NETWORK_UNKNOWN, _ isAllowed: (NWInterface.InterfaceType) -> Bool
    ) -> NWPath {
        var interfaces: [NWInterface] = []
        var families: Set<Bool> = []
        for route in network == TASKHOST_NETWORK_NONE ? [] : routes {
            let interface = NWInterface(type: type(of: route.interface), name: route.interface)
            guard isAllowed(interface.type) else { continue }
            families.insert(route.isIPv6)
            if !interfaces.contains(interface) { interfaces.append(interface) }
        }
        return NWPath(
            status: interfaces.isEmpty ? .unsatisfied : .satisfied, availableInterfaces: interfaces,
            supportsIPv4: families.contains(false), supportsIPv6: families.contains(true),
            isExpensive: network == TASKHOST_NETWORK_CONSTRAINED || interfaces.first?.type == .cellular)
    }

    /// The kind of an interface. systemd's names begin with what they are, and so do the kernel's.
    private func type(of name: String) -> NWInterface.InterfaceType {
        if wireless.contains(name) { return .wifi }
        let kinds: [(String, NWInterface.InterfaceType)] = [
            ("lo", .loopback), ("wl", .wifi), ("ww", .cellular), ("en", .wiredEthernet), ("eth", .wiredEthernet),
        ]
        return kinds.first { name.hasPrefix($0.0) }?.1 ?? .other
    }
}

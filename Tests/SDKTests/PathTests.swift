import CTaskHost
import Foundation
import TaskHostNetwork
import Testing

@Suite("Network paths")
struct PathTests {
    private static let headings = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    private static let wireless = """
        Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
         face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
         radio0: 0000   54.  -56.  -256        0      0      0      0      0        0

        """

    private func path(
        _ ipv4: [String], ipv6: [String] = [], only kind: NWInterface.InterfaceType? = nil
    ) -> NWPath {
        let table = RouteTable(
            ipv4: Self.headings + ipv4.map { $0 + "\n" }.joined(), ipv6: ipv6.map { $0 + "\n" }.joined(),
            wireless: Self.wireless)
        return table.path { kind == nil || $0 == kind }
    }

    private func route(_ name: String, _ destination: String = "00000000", flags: String = "0003", metric: Int = 0)
        -> String
    {
        let mask = destination == "00000000" ? "00000000" : "00FFFFFF"
        return "\(name)\t\(destination)\t0100A8C0\t\(flags)\t0\t0\t\(metric)\t\(mask)\t0\t0\t0"
    }

    private func route6(_ name: String, flags: String = "00000003") -> String {
        let none = String(repeating: "0", count: 32)
        return "\(none) 00 \(none) 00 fe80\(none.dropFirst(4)) 00000400 00000001 00000000 \(flags)     \(name)"
    }

    @Test("are satisfied by a default route that leads somewhere")
    func status() {
        #expect(path([]).status == .unsatisfied && path([]).unsatisfiedReason == .notAvailable)
        #expect(path([route("eth0", "0000A8C0")]).status == .unsatisfied)
        #expect(path([route("eth0", flags: "0200")], ipv6: [route6("lo", flags: "00200200")]).status == .unsatisfied)
        let four = path([route("eth0")])
        #expect(four.status == .satisfied && four.supportsIPv4 && !four.supportsIPv6 && four.supportsDNS)
        let six = path([], ipv6: [route6("enp3s0")])
        #expect(six.status == .satisfied && !six.supportsIPv4 && six.supportsIPv6)
        #expect(path(["", "eth0", "eth0\t00000000\t\tzz\t\t\t\t00000000"], ipv6: ["00"]).status == .unsatisfied)
    }

    @Test("use the interfaces of the default routes, the smallest metric first")
    func interfaces() {
        let both = path([route("wwan0", metric: 700), route("radio0", metric: 600)], ipv6: [route6("radio0")])
        #expect(both.availableInterfaces.map(\.name) == ["radio0", "wwan0"])
        #expect(both.usesInterfaceType(.wifi) && both.usesInterfaceType(.cellular))
        #expect(!both.usesInterfaceType(.wiredEthernet) && !both.isExpensive && !both.isConstrained)
        #expect(path([route("wwp0s20")]).isExpensive)
        let kinds = ["wlan0", "enp3s0", "eth0", "tun0", "lo"].map { path([route($0)]).availableInterfaces[0].type }
        #expect(kinds == [.wifi, .wiredEthernet, .wiredEthernet, .other, .loopback])
        #expect(path([route("eth0")], only: .wifi).status == .unsatisfied)
        #expect(both.debugDescription == "satisfied (radio0, wwan0)")
    }

    @Test("are what the host makes of them: none without a network, expensive on a metered one")
    func network() {
        let table = RouteTable(ipv4: Self.headings + route("eth0") + "\n", ipv6: "", wireless: "")
        #expect(table.path(network: TASKHOST_NETWORK_NONE) { _ in true }.status == .unsatisfied)
        #expect(table.path(network: TASKHOST_NETWORK_CONSTRAINED) { _ in true }.isExpensive)
        #expect(!table.path(network: TASKHOST_NETWORK_OK) { _ in true }.isExpensive)
    }

    @Test("are told when the monitor has started and has a handler, and again to another one")
    func monitor() async {
        let queue = DispatchQueue(label: "org.taskhost.paths")
        let monitor = NWPathMonitor()
        let first = await withCheckedContinuation { done in
            monitor.pathUpdateHandler = { done.resume(returning: $0) }
            monitor.start(queue: queue)
            monitor.start(queue: queue)
        }
        #expect(first.status == monitor.currentPath.status && monitor.queue === queue)
        let again = await withCheckedContinuation { done in
            monitor.pathUpdateHandler = { done.resume(returning: $0) }
        }
        #expect(again.status == first.status)
        monitor.cancel()
        monitor.pathUpdateHandler = { _ in Issue.record("a monitor that has ended") }
        queue.sync {}
    }

    @Test("are a sequence, which ends with its task")
    func sequence() async {
        let started = AsyncStream.makeStream(of: NWPath.self)
        let task = Task {
            for await path in NWPathMonitor(prohibitedInterfaceTypes: [.loopback]) { started.continuation.yield(path) }
            return Task.isCancelled
        }
        for await path in started.stream {
            #expect(!path.usesInterfaceType(.loopback))
            break
        }
        task.cancel()
        #expect(await task.value)
    }
}

import Glibc
import TaskModel
import TestSupport
import Testing
import Workers

@Suite("The programs that hold connections")
struct ConnectProgramTests {
    private static let places: [NetworkAddress] = [
        "0.0.0.0", "0.0.0.1", "8.8.8.8", "10.0.0.1", "10.255.255.255", "11.0.0.0", "127.0.0.1", "127.0.0.2",
        "169.254.169.254",
        "172.18.0.3", "203.0.113.7", "255.255.255.255", "::", "::1", "::2", "::127.0.0.1", "2001:db8::7", "2001:db8::8",
        "fd00::1", "fe80::1", "fc00::1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1",
    ].compactMap { NetworkAddress($0) }
    private static let ports: [UInt16] = [0, 1, 53, 80, 443, 444, 5432, 8080, 0xbb01, 65535]

    @Test("decide as the rules do, for every grant", arguments: ConnectRulesTests.grants.keys.sorted())
    func agrees(_ grant: String) throws {
        let rules = ConnectRulesTests.rules(grant)
        let machine = ConnectMachine(lookUp: rules.value(of:))
        let v4 = ConnectProgram(.v4, map: 5)
        let v6 = ConnectProgram(.v6, map: 5)
        for address in Self.places {
            for port in Self.ports {
                let expected: UInt64 = rules.allows(address, port: port) ? 1 : 0
                let connection = ConnectMachine.Connection(address: address, port: port)
                if address.isV4 { #expect(try machine.run(v4, connection) == expected, "\(address) \(port)") }
                // An IPv4 address comes to the program for IPv6 in its mapped form.
                #expect(try machine.run(v6, connection) == expected, "\(address) \(port)")
            }
        }
    }

    @Test("refuse what is not TCP, and port 0, without a look at the map", arguments: ConnectProgram.Family.allCases)
    func refuses(_ family: ConnectProgram.Family) throws {
        let program = ConnectProgram(family, map: 5)
        let machine = ConnectMachine { _ in
            Issue.record("the map is asked")
            return 1
        }
        let address = NetworkAddress(v4: 0x0a00_0001)
        for `protocol` in [0, 1, 17, 132, 262] as [UInt32] {
            let connection = ConnectMachine.Connection(address: address, port: 443, protocol: `protocol`)
            #expect(try machine.run(program, connection) == 0)
        }
        #expect(try machine.run(program, .init(address: address, port: 0)) == 0)
        #expect(try machine.run(.refusal, .init(address: address, port: 443)) == 0)
    }

    @Test(
        "are taken by the kernel, hold what grows and shrinks, and let go of their descriptors",
        .enabled(if: geteuid() == 0, "only root may load them"))
    func loads() throws {
        let before = try descriptors()
        do {
            let common = try DatagramGuard()
            for grant in ConnectRulesTests.grants.keys {
                let rules = ConnectRulesTests.rules(grant)
                let held = try ConnectGuard(rules, capacity: 600, common: common)
                try held.update(ConnectRulesTests.rules("*:*", "db:5432"))
                try held.update(ConnectRules([], addresses: [:], nameServers: []))
                try held.update(rules)
            }
            #expect(try descriptors() == before + 2)
        }
        #expect(try descriptors() == before)
    }

    /// Of programs and maps that this process holds.
    private func descriptors() throws -> Int {
        var count = 0
        guard let folder = opendir("/proc/self/fd") else { throw Problem("no /proc/self/fd") }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var target = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/fd/\(name)", &target, 63)
            guard length > 0 else { continue }
            let text = String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.contains("bpf") { count += 1 }
        }
        return count
    }
}

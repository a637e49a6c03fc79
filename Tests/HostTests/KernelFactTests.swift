import Manifests
import Setting
import TaskModel
import Testing

@Suite("What this kernel cannot do for a confined program")
struct KernelFactTests {
    private func warnings(
        _ script: String, pinsSignals: Bool = false, confinement: ConfinementLevel = .full, ping: Bool = false,
        echoGroups: ClosedRange<UInt32>? = nil
    ) -> [String] {
        var definition = ApplicationDefinition(
            identifier: "com.example.a",
            tasks: [
                TaskDefinition(
                    identifier: "com.example.a.t", kind: .processing, handler: .command(["/bin/sh", "-c", script]),
                    budget: Budget(
                        wallClock: .minutes(1), cpuTime: nil, memory: Budget.defaultMemory,
                        grace: Budget.defaultGrace(for: .minutes(1))))
            ], isolation: .run)
        definition.confinement = confinement
        definition.permissions.ping = ping
        var inspector = LibraryInspector(definition, pinsSignals: pinsSignals, echoGroups: echoGroups)
        _ = inspector.inspect()
        return inspector.diagnostics.filter { $0.severity == .warning }.map { "\($0)" }
    }

    @Test(
        "is named before it is missed: signals to other processes",
        arguments: ["kill $(cat pid)", "pkill -f x", "nice killall y"])
    func signals(_ script: String) {
        let found = warnings(script, pinsSignals: true)
        #expect(found.count == 1 && found[0].contains("which signals other processes"), "\(found)")
        #expect(warnings(script, pinsSignals: false).isEmpty)
        #expect(warnings(script, pinsSignals: true, confinement: .unconfined).isEmpty)
        #expect(warnings("timeout 5 sleep 1; echo kill", pinsSignals: true).isEmpty)
    }

    @Test("is named before it is missed: ICMP echo requests")
    func echo() {
        let none = warnings("ping -c1 10.0.0.1", ping: true)
        #expect(
            none.count == 1 && none[0].contains("a machine that lets no group send ICMP echo requests")
                && none[0].contains("/etc/sysctl.d"), "\(none)")
        let others = warnings("ping -c1 10.0.0.1", ping: true, echoGroups: 7...9)
        #expect(others.count == 1 && others[0].contains("lets the groups 7 to 9"), "\(others)")
        #expect(warnings("ping -c1 10.0.0.1", ping: true, echoGroups: 0...UInt32(Int32.max)).isEmpty)
        #expect(warnings("true").isEmpty)
    }
}

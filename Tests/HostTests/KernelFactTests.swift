import Manifests
import Setting
import TaskModel
import Testing

@Suite("What this kernel cannot do for a confined program")
struct KernelFactTests {
    private func warnings(_ script: String, pinsSignals: Bool, confinement: ConfinementLevel = .full) -> [String] {
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
        var inspector = LibraryInspector(definition, pinsSignals: pinsSignals)
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
}

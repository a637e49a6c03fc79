import TaskModel
import Testing
import Workers

@testable import Host

@Suite("A limit that neither kernel nor host can enforce")
struct LimitShortfallTests {
    private static func application(_ declared: Budget.Keys, _ enforcement: Enforcement) -> ApplicationDefinition {
        let budget = Budget(
            wallClock: .seconds(30), cpuTime: .seconds(1), memory: Budget.defaultMemory, grace: .seconds(5),
            declared: declared)
        let task = TaskDefinition(identifier: "a.b.c", kind: .appRefresh, handler: .registered, budget: budget)
        return ApplicationDefinition(identifier: "a.b", tasks: [task], enforcement: enforcement)
    }

    @Test(
        "refuses runs whose strict manifest declares it, and degrades others",
        arguments: [
            ([], .strict, nil, ["memory", "cpuTime", "killTree"]),
            ([.wallClock, .grace], .strict, nil, ["memory", "cpuTime", "killTree"]),
            (.memory, .strict, .memory, ["memory", "cpuTime", "killTree"]),
            (.cpuTime, .strict, .cpu, ["memory", "cpuTime", "killTree"]),
            ([.memory, .cpuTime], .bestEffort, nil, ["memory", "cpuTime", "killTree"]),
        ] as [(Budget.Keys, Enforcement, ControlledResource?, [String])])
    func written(
        _ declared: Budget.Keys, _ enforcement: Enforcement, _ refused: ControlledResource?, _ degraded: [String]
    ) {
        let shortfall = LimitShortfall(Self.application(declared, enforcement)) { _ in .impossible }
        #expect(shortfall.refused == refused)
        #expect(shortfall.degraded == degraded)
    }

    @Test("is none that the host meters itself", arguments: [Enforcer.kernel, .meter])
    func held(_ enforcer: Enforcer) {
        let shortfall = LimitShortfall(Self.application([.memory, .cpuTime], .strict)) { _ in enforcer }
        #expect(shortfall.refused == nil && shortfall.degraded.isEmpty)
    }
}

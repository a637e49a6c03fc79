import Conditions
import TaskModel
import Testing

@Suite("What follows from all sources together")
struct FindingsTests {
    private func merged(_ change: (inout Findings) -> Void) -> (
        conditions: DeviceConditions, sources: [ConditionName: String]
    ) {
        var findings = Findings()
        findings.supplies = PowerSupplies([])
        change(&findings)
        return findings.merged()
    }

    @Test("Every condition has a source, or a reason for having none", arguments: [true, false])
    func reasons(_ isKnown: Bool) {
        let found = merged { findings in
            guard isKnown else { return }
            findings.bus.fault = nil
            findings.bus.profile = "balanced"
            findings.bus.isIdle = true
            findings.routes = DefaultRoutes()
            findings.cpu = .nominal
            findings.memory = .high
            findings.thermal = .fair
        }
        for name in ConditionName.ofMachine {
            let source = found.sources[name]
            #expect(source != nil)
            let isUnknown = name.text(in: found.conditions) == "unknown"
            #expect(isUnknown == (source?.hasPrefix("unknown: ") == true), "\(name)")
            if isKnown { #expect(!isUnknown) }
        }
    }

    @Test("UPower's word counts, also where it says that there is no battery; without it sysfs's")
    func power() {
        var battery = PowerSupplies.Supply(kind: .battery)
        battery.status = .discharging
        battery.capacity = 20
        let alone = merged { $0.supplies = PowerSupplies([battery]) }
        #expect(alone.conditions.externalPower == .no)
        #expect(alone.conditions.batteryLevel == 20)
        let both = merged {
            $0.supplies = PowerSupplies([battery])
            $0.bus.onBattery = false
            $0.bus.battery = .some(nil)
        }
        #expect(both.conditions.externalPower == .yes)
        #expect(both.conditions.batteryLevel == nil)
        #expect(both.sources[.battery] == "UPower")
    }

    @Test(
        "Metered networks are constrained, guessed or known; none is none",
        arguments: [(nil, .ok), (0, .ok), (1, .constrained), (2, .ok), (3, .constrained), (4, .ok), (99, .ok)]
            as [(UInt32?, NetworkAccess)])
    func network(_ metered: UInt32?, _ expected: NetworkAccess) {
        func access(_ routes: DefaultRoutes?) -> NetworkAccess {
            merged {
                $0.routes = routes
                $0.bus.metered = metered
            }.conditions.network
        }
        var routes = DefaultRoutes()
        #expect(access(nil) == .unknown)
        #expect(access(routes) == .none)
        routes.ipv6 = true
        #expect(access(routes) == expected)
    }
}

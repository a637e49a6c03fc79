import CLinux
import Glibc
import Linux
import Wire
import Worker

/// What the confinement costs: medians over a few hundred forks, in microseconds.
struct Measurement {
    let probe: Probe
    private let count = 400

    init(_ probe: Probe) { self.probe = probe }

    func run() throws(ConfinementError) -> String {
        let begun = clinux_monotonic_ns()
        let template = try ConfinementTemplate()
        let made = clinux_monotonic_ns()
        print("template once: \((made - begun) / 1000) us")
        let plan = probe.plan
        var rulesets: [UInt64] = []
        for _ in 0..<count {
            let start = clinux_monotonic_ns()
            _ = try LandlockRuleset.make(plan: plan, library: -1, template: template)
            rulesets.append(clinux_monotonic_ns() - start)
        }
        print("ruleset outside of the confinement: \(median(rulesets)) us")
        let prepared = try LandlockRuleset.make(plan: plan, library: -1, template: template).take()
        print("fork alone, to ready: \(median(try forks(template, plan, confine: false, nil).total)) us")
        let own = try forks(template, plan, confine: true, nil)
        print("fork and apply, to ready: \(median(own.total)) us, apply: \(median(own.apply)) us")
        let cached = try forks(template, plan, confine: true, prepared)
        print("with a prepared ruleset, to ready: \(median(cached.total)) us, apply: \(median(cached.apply)) us")
        return "allowed"
    }

    private func median(_ samples: [UInt64]) -> UInt64 { samples.sorted()[samples.count / 2] / 1000 }

    private func forks(
        _ template: borrowing ConfinementTemplate, _ plan: LaunchPlan, confine: Bool, _ ruleset: Int32?
    ) throws(ConfinementError) -> (total: [UInt64], apply: [UInt64]) {
        var total: [UInt64] = []
        var apply: [UInt64] = []
        for _ in 0..<count {
            var wire: [Int32] = [-1, -1]
            var log: [Int32] = [-1, -1]
            guard clinux_seqpacket_pair(&wire, 4096) == 0, clinux_pipe(&log, 0) == 0 else {
                throw ConfinementError(.descriptors, code: EMFILE)
            }
            let start = clinux_monotonic_ns()
            var pidfd: Int32 = -1
            let pid = clinux_fork(-1, &pidfd)
            if pid == 0 {
                let forked = clinux_monotonic_ns()
                if confine {
                    do throws(ConfinementError) {
                        _ = try Confinement.apply(
                            plan: plan, template: template, wire: wire[1], log: log[1], library: -1, ruleset: ruleset)
                    } catch {
                        _exit(1)
                    }
                }
                var span = clinux_monotonic_ns() - forked
                _ = clinux_send(confine ? 3 : wire[1], &span, 8, nil, 0, 0)
                _exit(0)
            }
            var span: UInt64 = 0
            _ = close(wire[1])
            guard clinux_receive(wire[0], &span, 8, nil, 0, nil, 0) == 8 else {
                throw ConfinementError(.session, code: 0, object: "the child did not report")
            }
            total.append(clinux_monotonic_ns() - start)
            apply.append(span)
            var end = clinux_exit_t()
            _ = clinux_wait(pid, &end)
            for descriptor in [wire[0], log[0], log[1], pidfd] { _ = close(descriptor) }
        }
        return (total, apply)
    }
}

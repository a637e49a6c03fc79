import Confining
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
        let begun = Clock.monotonic()
        let template = try ConfinementTemplate()
        let made = Clock.monotonic()
        print("template once: \((made - begun) / 1000) us")
        let plan = probe.plan
        var preparations: [UInt64] = []
        var checks: [UInt64] = []
        let prepared = try PreparedConfinement(plan, library: -1, template: template)
        for _ in 0..<count {
            let start = Clock.monotonic()
            _ = try PreparedConfinement(plan, library: -1, template: template)
            let middle = Clock.monotonic()
            _ = prepared.isCurrent(for: plan, library: -1, template: template)
            preparations.append(middle - start)
            checks.append(Clock.monotonic() - middle)
        }
        print("preparation: \(median(preparations)) us, check whether it is current: \(median(checks)) us")
        print("fork alone, to ready: \(median(try forks(template) { (_, _) throws(ConfinementError) in }.total)) us")
        let fresh = try forks(template) { (wire, log) throws(ConfinementError) in
            _ = try Confinement.apply(plan: plan, template: template, wire: wire, log: log, errors: log, library: -1)
        }
        print("fork, prepare and apply, to ready: \(median(fresh.total)) us, in the child: \(median(fresh.child)) us")
        let ready = try forks(template) { (wire, log) throws(ConfinementError) in
            _ = try Confinement.apply(prepared, template: template, wire: wire, log: log, errors: log, library: -1)
        }
        print("fork and apply, to ready: \(median(ready.total)) us, in the child: \(median(ready.child)) us")
        return "allowed"
    }

    private func median(_ samples: [UInt64]) -> UInt64 { samples.sorted()[samples.count / 2] / 1000 }

    private func forks(
        _ template: borrowing ConfinementTemplate,
        _ confine: (_ wire: Int32, _ log: Int32) throws(ConfinementError) -> Void
    ) throws(ConfinementError) -> (total: [UInt64], child: [UInt64]) {
        var total: [UInt64] = []
        var child: [UInt64] = []
        for _ in 0..<count {
            var wire: [Int32] = [-1, -1]
            var log: [Int32] = [-1, -1]
            guard clinux_seqpacket_pair(&wire, 4096) == 0, clinux_pipe(&log, 0) == 0 else {
                throw ConfinementError(.descriptors, code: EMFILE)
            }
            let start = Clock.monotonic()
            let pid = clinux_fork(-1)
            if pid == 0 {
                let forked = Clock.monotonic()
                do throws(ConfinementError) { try confine(wire[1], log[1]) } catch { _exit(1) }
                var span = Clock.monotonic() - forked
                // 3 once it is confined; where the wire was before, when it is not.
                if clinux_send(3, &span, 8, nil, 0, 0) < 0 { _ = clinux_send(wire[1], &span, 8, nil, 0, 0) }
                _exit(0)
            }
            var span: UInt64 = 0
            _ = close(wire[1])
            guard clinux_receive(wire[0], &span, 8, nil, 0, nil, 0) == 8 else {
                throw ConfinementError(.session, code: 0, object: "the child did not report")
            }
            total.append(Clock.monotonic() - start)
            child.append(span)
            var end = clinux_exit_t()
            _ = clinux_wait(pid, &end)
            for descriptor in [wire[0], log[0], log[1]] { _ = close(descriptor) }
        }
        return (total, child)
    }
}

import Glibc
import TestSupport
import Testing

/// One life of a host again and again, and each time another kernel call fails, or does less than it was asked for: in the
/// host itself, in its zygotes and workers, and in the process that transfers. `TASKHOST_FULL=1` plays all of them.
@Suite(
    "A host whose kernel fails once loses nothing, and ends with a sentence if it ends,",
    .enabled(if: !Places.isSanitized, "a sanitizer's library has to be loaded first"))
struct PlayedHostTests {
    private static func faults(
        of role: KernelPlayer.Role, most: Int, call: String? = nil
    ) throws -> [KernelPlayer.Fault] {
        guard !Places.isSanitized else { return [] }
        let clean = try PlayedLife(nil, downloads: role == .transfer)
        try clean.live()
        let faults = KernelFaults.all(role, uses: try clean.kernel.uses(by: role))
        guard !faults.isEmpty else { throw Problem("no calls of \(role)") }
        return KernelFaults.chosen(faults.filter { call == nil || $0.call == call }, most: most)
    }

    @Test("in the host", arguments: try faults(of: .host, most: 60))
    func host(_ fault: KernelPlayer.Fault) throws { try PlayedLife(fault).live() }

    /// A host that waited for a process that did not learn about its end never ended.
    @Test(
        "in the host, whenever it shuts a socket down", arguments: try faults(of: .host, most: .max, call: "shutdown"))
    func shutdown(_ fault: KernelPlayer.Fault) throws { try PlayedLife(fault).live() }

    @Test("in a zygote", arguments: try faults(of: .zygote, most: 24))
    func zygote(_ fault: KernelPlayer.Fault) throws { try PlayedLife(fault).live() }

    @Test("in a worker", arguments: try faults(of: .worker, most: 24))
    func worker(_ fault: KernelPlayer.Fault) throws { try PlayedLife(fault).live() }

    @Test("in the process that transfers", arguments: try faults(of: .transfer, most: 30))
    func transfer(_ fault: KernelPlayer.Fault) throws { try PlayedLife(fault, downloads: true).live() }
}

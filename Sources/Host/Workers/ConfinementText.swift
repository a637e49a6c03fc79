import Wire
import Workers

/// The confinement of a worker in words, for the record.
enum ConfinementText {
    /// Such as `own user, Landlock ABI 7, system-call filter, disk: project quota, process tree: hybrid`.
    ///
    /// - Parameters:
    ///   - identity: as whom it runs.
    ///   - missing: limits that the kernel does not hold here, and how to get them.
    ///   - holdsAddresses: programs of the kernel's were attached; nil without network grants.
    ///   - disk: how the budget of its folders is enforced.
    ///   - isConfined: else it has its user's own rights.
    static func describe(
        _ report: ConfinementReport, as identity: String?, tier: String, missing: String?, holdsAddresses: Bool?,
        disk: DiskHold, isConfined: Bool = true
    ) -> String {
        let tree = "process tree: \(tier)" + (missing.map { "; \($0)" } ?? "")
        guard isConfined else {
            return ["confinement none: all rights of user \(identity ?? "?")", "disk: \(disk)", tree]
                .joined(separator: ", ")
        }
        var parts = [
            identity.map { "user \($0)" } ?? (report.ownUser ? "own user" : "the host's user"),
            report.landlockABI > 0 ? "Landlock ABI \(report.landlockABI)" : "no Landlock",
            report.seccomp ? "system-call filter" : "no system-call filter",
        ]
        if let holdsAddresses {
            let isWide = report.degraded.contains("network")
            parts.append(
                "network: "
                    + (holdsAddresses && !isWide
                        ? "addresses" : report.degraded.contains("network.port") ? "every port" : "ports"))
        }
        parts.append("disk: \(disk)")
        parts.append(tree)
        return parts.joined(separator: ", ")
    }
}

import Wire

/// The confinement of a worker in words, for the record.
enum ConfinementText {
    /// Such as `own user, Landlock ABI 7, system-call filter, control groups: hybrid`.
    /// - Parameter missing: limits that the kernel does not hold here, and how to get them.
    static func describe(_ report: ConfinementReport, tier: String, missing: String?) -> String {
        [
            report.ownUser ? "own user" : "the host's user",
            report.landlockABI > 0 ? "Landlock ABI \(report.landlockABI)" : "no Landlock",
            report.seccomp ? "system-call filter" : "no system-call filter",
            "process tree: \(tier)" + (missing.map { "; \($0)" } ?? ""),
        ].joined(separator: ", ")
    }
}

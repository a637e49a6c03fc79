import Wire

/// The confinement of a worker in words, for the record.
enum ConfinementText {
    /// Such as `own user, Landlock ABI 7, system-call filter, control groups: hybrid`.
    static func describe(_ report: ConfinementReport, tier: String) -> String {
        [
            report.ownUser ? "own user" : "the host's user",
            report.landlockABI > 0 ? "Landlock ABI \(report.landlockABI)" : "no Landlock",
            report.seccomp ? "system-call filter" : "no system-call filter",
            "process tree: \(tier)",
        ].joined(separator: ", ")
    }
}

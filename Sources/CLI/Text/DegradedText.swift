import TaskModel

/// Limits that were not enforced for runs, in words.
enum DegradedText {
    /// A line for each limit, with the tasks it concerns.
    static func lines(_ runs: [RunRecord]) -> [String] {
        let names = Set(runs.flatMap(\.degraded)).sorted()
        // `network` summarizes the names below it.
        let told = names.filter { name in !names.contains { $0.hasPrefix(name + ".") } }
        return told.map { name in
            let tasks = Set(runs.filter { $0.degraded.contains(name) }.map(\.identifier)).sorted()
            let more = tasks.count > mostNamed ? " and \(tasks.count - mostNamed) more" : ""
            return "degraded: \(name); \(tasks.prefix(mostNamed).joined(separator: ", "))\(more); \(advice(name))"
        }
    }

    private static let mostNamed = 3

    /// What does not hold, and what would.
    private static func advice(_ name: String) -> String {
        switch name {
        case "network.host":
            "ports are held, hosts are not; a root host with cgroup 2 holds both"
        case "network.port", "network":
            "ports are not held; Linux 6.7 or a root host with cgroup 2 holds them"
        case "landlock":
            "files are protected by their owners and modes alone; Linux 5.13 with landlock in lsm= confines them"
        case "processes": "nothing limits the number of processes; a root host or a delegated control group does"
        default: "this machine cannot hold it; see Documentation/Confinement.md"
        }
    }
}

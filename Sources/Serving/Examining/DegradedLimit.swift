/// Limits that a machine may lack, by the names that records have in `degraded`.
package enum DegradedLimit {
    /// What does not hold, and what would.
    package static func advice(on name: String) -> String {
        switch name {
        case "network.host":
            "ports are held, hosts are not; a root host with cgroup 2 holds both"
        case "network.port", "network":
            "ports are not held; Linux 6.7 or a root host with cgroup 2 holds them"
        case "landlock":
            "files are protected by their owners and modes alone; Linux 5.13 with landlock in lsm= confines them"
        case "processes":
            "the kernel does not limit processes (without any control group the host counts them and ends a tree that has "
                + "too many); a root host or a delegated control group limits them"
        default: "this machine cannot hold it; see Documentation/Confinement.md"
        }
    }
}

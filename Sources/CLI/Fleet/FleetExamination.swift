import Control
import Fleet

/// The line of `taskhost doctor` about a fleet's database, as this process finds it.
enum FleetExamination {
    /// - Parameter database: of the configuration.
    static func check(_ database: String) -> MachineCheck {
        do throws(FleetError) {
            let session = try FleetSession(ConnectionOptions(database))
            try session.requireVersion()
            let live = try session.hosts().count { $0.state == "live" }
            let hosts = live == 1 ? "1 host lives" : "\(live) hosts live"
            guard let idle = try session.longestTransaction() else { return .ok(.fleet, hosts) }
            return MachineCheck(
                .fleet, .note,
                "\(hosts); process \(idle.process) of \(idle.user) has been idle in a transaction for \(idle.age)",
                costs: "rows that are gone stay in the tables, and each claim takes longer",
                remedy: "end it with SELECT pg_terminate_backend(\(idle.process)), or set "
                    + "idle_in_transaction_session_timeout")
        } catch {
            let parts = error.sentence.split(separator: "; ").map(String.init)
            return MachineCheck(
                .fleet, .fault, parts.dropLast().joined(separator: "; "),
                costs: "no request of the fleet starts here, and ends wait", remedy: parts.last)
        }
    }
}

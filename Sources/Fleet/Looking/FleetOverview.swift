/// What everybody sees of a fleet, at one moment.
package struct FleetOverview: Sendable {
    /// By name.
    package var hosts: [FleetHostRow]
    /// Those that hosts hold, the first lease to end first.
    package var leased: [FleetRequestRow]
    /// The other open ones, the oldest first.
    package var waiting: [FleetRequestRow]
}

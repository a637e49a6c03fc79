package import TaskModel

/// A host as its fleet knows it.
package struct FleetMember: Sendable {
    /// For people; no two hosts of a fleet that live have the same.
    package var name: String
    /// Of the state folder, for good.
    package var identity: HostID
    /// The kernel's boot id, a UUID.
    package var boot: String
    package var version: String
    /// What requests may ask of their host.
    package var labels: [String: String]
    /// The length of its leases.
    package var lease: TimeSpan

    package init(
        name: String, identity: HostID, boot: String, version: String, labels: [String: String], lease: TimeSpan
    ) {
        self.name = name
        self.identity = identity
        self.boot = boot
        self.version = version
        self.labels = labels
        self.lease = lease
    }
}

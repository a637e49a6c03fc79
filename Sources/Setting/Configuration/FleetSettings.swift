package import TaskModel

/// The hosts with which this one shares requests.
package struct FleetSettings: Sendable, Equatable {
    /// The database, as libpq takes it; without a password.
    package var database: String
    /// This host's name in the fleet.
    package var name: String
    /// What requests may ask of a host.
    package var labels: [String: String] = [:]
    /// How long a claim lasts without a renewal.
    package var lease = Self.defaultLease
    /// The most claims that this host holds at once.
    package var places = Self.defaultPlaces

    /// It takes manifests that are rolled out to the fleet: whoever rolls them out decides what programs run here.
    package var takesManifests = false

    package static let defaultLease = TimeSpan.seconds(30)
    package static let defaultPlaces = 8

    package init(database: String, name: String) {
        self.database = database
        self.name = name
    }
}

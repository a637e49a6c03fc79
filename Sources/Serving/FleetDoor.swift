import Fleet
import Host
import Linux
import Record
import Setting
import TaskModel

/// The way of a host into its fleet.
enum FleetDoor {
    /// Joins, from the first turn on. Nothing of it waits: a database that does not answer is looked for again and again.
    static func join(_ settings: FleetSettings, _ host: Host) throws(FleetError) {
        let member = FleetMember(
            name: settings.name, identity: host.keeper.store.host, boot: BootMark.id,
            version: Release.version, labels: settings.labels, lease: settings.lease)
        let claims = try PostgresClaims(ConnectionOptions(settings.database), as: member) { [unowned host] in
            host.resolve($0, $1)
        }
        claims.standing = { [unowned host] in
            let tasks = host.fleet?.standings ?? []
            return FleetStanding(
                installs: tasks.map(\.identifier), ready: tasks.filter(\.couldStart).map(\.identifier),
                held: tasks.compactMap { task in task.gate.map { (task.identifier, $0.name) } })
        }
        var isLost = false
        claims.report = { [unowned host] fault in
            guard (fault != nil) != isLost else { return }
            isLost = fault != nil
            host.note(
                fault == nil ? .fleetFound : .fleetLost, "", fault ?? "the fleet's database answers this host")
        }
        do throws(HostError) {
            try host.add(claims)
            try host.join(fleet: claims, isReached: false, most: settings.places)
        } catch {
            throw .unreachable("\(error)")
        }
    }
}

import Fleet
import Host
import Linux
import Record
import Setting
import TaskModel

/// The way of a host into its fleet.
enum FleetDoor {
    /// The word of a condition of which nothing is known.
    private static let unknown = "unknown"

    /// Joins, from the first turn on. Nothing of it waits: a database that does not answer is looked for again and again.
    ///
    /// - Parameter rolledOut: manifests of the fleet, or why there is no place for them; nil: the host takes none.
    /// - Returns: the claims, which are a source of the host's loop from then on.
    static func join(
        _ settings: FleetSettings, _ host: Host, _ rolledOut: Result<FleetManifests, SystemError>?
    ) throws(FleetError) -> PostgresClaims {
        let manifests: FleetManifests?
        do throws(SystemError) { manifests = try rolledOut?.get() } catch {
            throw .unreachable("the folder of the fleet's manifests cannot be used; \(error); correct that")
        }
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
                held: tasks.compactMap { task in task.gate.map { (task.identifier, $0.name) } },
                conditions: conditions(host.device.state), rollouts: manifests?.sums)
        }
        if let manifests {
            claims.rolledOut = { [unowned host] list in
                do throws(SystemError) {
                    try manifests.take(list)
                    return true
                } catch {
                    let sentence =
                        "a manifest of the fleet cannot be written or removed; \(error); it stays as it is, and is tried again"
                    host.runs.announcer.log?.add(LogEntry(.warning, nil, sentence))
                    return false
                }
            }
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
        return claims
    }

    /// Those of which something is known, by their words.
    private static func conditions(_ device: DeviceState) -> [String: String] {
        var words: [String: String] = [:]
        for name in ConditionName.ofMachine {
            let word = name.text(in: device.effective)
            if word != Self.unknown { words[name.word] = word }
        }
        return words
    }
}

import Fleet
import Host
import JSON
import TaskModel

/// How the host stands in its fleet.
enum FleetDocument {
    /// - Parameter fleet: nil: it is in none.
    static func json(_ fleet: FleetClaims?) -> JSONOutput {
        guard let fleet else { return .null }
        var members: [JSONOutput.Member] = [
            .init("reached", .bool(fleet.unreachedSince == nil)),
            .init("unreachedSince", JSONOutput(fleet.unreachedSince?.iso8601)),
            .init("held", .integer(Int64(fleet.count))),
        ]
        members += events(fleet).map { .init($0.name, .unsigned($0.count)) }
        return .object(members)
    }

    /// The fleet as a whole.
    ///
    /// - Parameters:
    ///   - overview: as the database said at that time; nil: it has not answered yet.
    ///   - isReached: it answers now.
    ///   - host: the name of the host that is asked.
    static func json(_ overview: FleetOverview?, at time: Timestamp?, isReached: Bool, host: String) -> JSONOutput {
        let (leased, waiting) = (overview?.leased ?? [], overview?.waiting ?? [])
        return [
            "host": .string(host), "reached": .bool(isReached), "asOf": JSONOutput(time?.iso8601),
            "hosts": .array(overview?.hosts.map(\.json) ?? []), "requests": .array((leased + waiting).map(\.json)),
            "more": .bool(max(leased.count, waiting.count) >= PostgresClaims.mostShown),
        ]
    }

    /// What has happened to claims since the host's start, by the names of documents and metrics.
    static func events(_ fleet: FleetClaims) -> [(name: String, count: UInt64)] {
        let figures = fleet.figures
        return [
            ("claimed", figures.claimed), ("takenOver", figures.takenOver), ("lost", figures.lost),
            ("ended", figures.ended), ("returned", figures.returned), ("superseded", figures.superseded),
        ]
    }
}

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

    /// What has happened to claims since the host's start, by the names of documents and metrics.
    static func events(_ fleet: FleetClaims) -> [(name: String, count: UInt64)] {
        let figures = fleet.figures
        return [
            ("claimed", figures.claimed), ("takenOver", figures.takenOver), ("lost", figures.lost),
            ("ended", figures.ended), ("returned", figures.returned), ("superseded", figures.superseded),
        ]
    }
}

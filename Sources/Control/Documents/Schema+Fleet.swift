import TaskModel

// The fleet, as the control API shows it.
extension Schema {
    static let fleet = Schema.object([
        Property("reached", .boolean, "its database answers"),
        Property("unreachedSince", .nullable(time)),
        Property("held", count, "requests that it has claimed and not given back"),
        Property("claimed", count, "claims since its start"),
        Property("takenOver", count, "of them, of requests whose host went silent"),
        Property("lost", count, "claims whose leases ended first"),
        Property("ended", count, "ends of requests that were told"),
        Property("returned", count, "requests that went back, for another try or unharmed"),
        Property("superseded", count, "ends that came too late"),
    ]).named("Fleet")

    static let fleetOverview = Schema.object([
        Property("host", prose, "the name in the fleet of the host that is asked"),
        Property("reached", .boolean, "the database answers; otherwise this is what it said last"),
        Property("asOf", .nullable(time), "null: it has not answered since the host's start"),
        Property("hosts", .array(fleetHost, limit: 10_000), "by name, each as its newest start"),
        Property(
            "requests", .array(fleetRequest, limit: 400),
            "those that hosts hold, the first lease to end first, then those that wait, the oldest first"),
        Property("more", .boolean, "there are more open requests than these"),
    ]).named("FleetOverview")

    private static let fleetHost = Schema.object([
        Property("name", prose), Property("state", .string(.word(["live", "gone", "left"]))),
        Property("lastSeen", .nullable(time)), Property("draining", .boolean, "it gets no new requests"),
        Property("labels", .map(prose), "what requests may ask for"), Property("version", prose),
        Property("leases", count, "requests that it holds"),
        Property("conditions", .map(prose), "of the machine, those that are known"),
        Property("takesManifests", .boolean, "it takes those that are rolled out"),
    ]).named("FleetHost")

    private static let fleetRequest = Schema.object([
        Property("request", prose, "its key"), Property("identifier", .string(.identifier)),
        Property("state", .string(.word(["waiting", "leased", "ended", "quarantined"]))),
        Property("priority", .integer(-32768...32767)),
        Property("attempt", count), Property("losses", count, "leases that ended without a word"),
        Property("host", .nullable(prose), "who holds it"), Property("notBefore", .nullable(time)),
        Property("submitted", .nullable(time)), Property("outcome", .nullable(prose)),
        Property("labels", .map(prose), "what it asks of its host"),
        Property("leaseEnds", .nullable(time), "unless its host renews it; null: nobody holds it"),
    ]).named("FleetRequest")
}

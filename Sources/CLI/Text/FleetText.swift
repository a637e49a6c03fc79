import JSON

/// How a host stands in its fleet, in words.
enum FleetText {
    /// - Parameter fleet: of the host's document; nil: it is in none.
    static func words(_ fleet: JSONValue?, _ times: ShownTimes) -> String? {
        guard let reached = fleet?["reached"]?.bool else { return nil }
        let held = fleet?["held"]?.integer ?? 0
        let what = held == 1 ? "1 request of it here" : "\(held) requests of it here"
        return reached
            ? "within reach, \(what)"
            : "out of reach since \(times.textIfAny(fleet?["unreachedSince"]) ?? "the start"), \(what); see taskhost journal"
    }
}

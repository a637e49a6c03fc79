public import BackgroundTasks
internal import TaskHostRuntime

/// Names one claim of a request that the hosts of a fleet share.
///
/// A host that stood still for longer than its lease may go on beside another one that took the request over. Whatever the
/// handler changes outside of it can refuse the claim with the lower number.
public struct FleetClaim: Sendable, Hashable {
    /// The request's, 26 characters: the same for each claim of it.
    public let key: String
    /// 1 for the first claim of the request; only grows.
    public let number: Int64
}

extension BGTask {
    /// The claim that the run serves; nil when its request is the host's own, and outside of a run.
    public var fleetClaim: FleetClaim? {
        work?.run.fleetClaim.map { FleetClaim(key: $0.key, number: $0.number) }
    }
}

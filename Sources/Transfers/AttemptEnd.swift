package import TaskModel

/// How an attempt ended, for the policy.
package enum AttemptEnd: Sendable, BitwiseCopyable, Equatable {
    /// The transfer is over: the host has its end.
    case finished
    /// It is tried again later; `isNetwork`: at once when the network is back. At least `after`, if the server said so.
    case interrupted(isNetwork: Bool, after: TimeSpan?)
    /// Its application has to answer a challenge.
    case asks
    /// The host stopped it.
    case stopped
    /// The file system is full: it waits until there is room.
    case noSpace
}

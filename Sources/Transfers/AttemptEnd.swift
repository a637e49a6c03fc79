package import TaskModel

/// How an attempt ended, for the policy.
package enum AttemptEnd: Sendable, BitwiseCopyable, Equatable {
    /// The transfer is over: the host has its end.
    case finished
    /// All of it is there. The host finds out whether there is room for it, then says `finished`.
    case weighed
    /// It is tried again later; `isNetwork`: at once when the network is back. At least `after`, if the server said so.
    case interrupted(isNetwork: Bool, after: TimeSpan?)
    /// Its application has to answer a challenge.
    case asks
    /// The host stopped it.
    case stopped
    /// The file system is full: it waits until there is room.
    case noSpace
}

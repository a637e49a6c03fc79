/// Which transfer may go, in which order, when again, and whom to wake for it: the policy of background sessions, a value
/// without clock, files or network. The third beside `Engine` and `Scheduler`, in the same turn.
///
/// Every call takes the time of the turn, and appends what follows from it to `decisions`.
package struct TransferQueue: Sendable {
    package let limits: TransferLimits

    package init(limits: TransferLimits) { self.limits = limits }
}

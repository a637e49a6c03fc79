package import TaskModel

/// What happens to a request when its run has ended: one rule for a host that saw the end, and for one that finds in the
/// record that its predecessor did not.
package enum Sequel: Sendable, Equatable {
    case forget
    /// Pending again; `attempt` counts one more, `isFailure` against the tries that the manifest allows.
    case again(attempt: UInt32, isFailure: Bool)
    /// Pending again after a pause, without using up a try.
    case wait(attempt: UInt32, Shortage)
    /// Pending again after a pause for which its handler asked; no try of those that count.
    case later(Deferral)

    /// - Parameters:
    ///   - attempt: that of the run.
    ///   - failures: tries that had failed before it, of those that count.
    ///   - attempts: tries in all that the manifest allows after failures; 0 is taken as 1.
    package init(after end: RequestEnd, attempt: UInt32, failures: UInt32, attempts: UInt32) {
        // Those after which another one follows.
        let tries = max(1, attempts) - 1
        let (next, overflow) = attempt.addingReportingOverflow(1)
        let another = overflow ? attempt : next
        let failed = failures < tries ? Sequel.again(attempt: another, isFailure: true) : .forget
        if let shortage = end.shortage, end.outcome == .interrupted, end.reason != .hostStopping {
            self = .wait(attempt: end.hasStarted ? another : attempt, shortage)
            return
        }
        if end.outcome == .deferred, end.reason != .userCancelled, end.reason != .superseded,
            let deferral = end.deferral
        {
            self = .later(deferral)
            return
        }
        switch (end.outcome.row.sequel, end.reason) {
        case (.done, _) where end.outcome == .refused && end.isHung: self = failed
        case (.done, _), (_, .userCancelled), (_, .superseded): self = .forget
        case (.again, _), (_, .hostStopping): self = .again(attempt: another, isFailure: false)
        // It gave way as it should: this try does not count.
        case (.countedUnlessLost, let reason?) where Self.isLoss(reason):
            self = .again(attempt: attempt, isFailure: false)
        case (.counted, _), (.countedUnlessLost, _): self = failed
        }
    }

    /// A condition's.
    private static func isLoss(_ reason: Reason) -> Bool { Condition.all.contains { $0.reason == reason } }

    /// Whether the pending request of an identity is replaced by one that is to be tried again: only a schedule's time that
    /// is still to come by then. Any other is newer and takes precedence.
    ///
    /// - Parameters:
    ///   - origin: of what waits.
    ///   - scheduledFor: the schedule's time, in nanoseconds of the calendar like `returning`.
    ///   - isForced: the user wants it now.
    ///   - returning: when the other one is tried again.
    static func givesWay(origin: RequestOrigin, scheduledFor: Int64, isForced: Bool, returning: Int64) -> Bool {
        origin == .schedule && !isForced && returning < scheduledFor
    }
}

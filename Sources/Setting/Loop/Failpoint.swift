import TaskModel
import Linux
import Synchronization

/// Points at which a test lets the host die, to prove that nothing is lost. In debug builds only:
/// `TASKHOST_FAILPOINT=name` or `name:count` ends the process at the count-th passage as `kill -9` would. With
/// `name:count:hold` it pauses there for a second, and at every later passage: a slow disk.
public enum Failpoint: String, CaseIterable, Sendable {
    /// At the start: before the runs of a dead host are marked, before its processes are ended, and after both.
    case recoverBefore = "recover.before"
    case recoverAfter = "recover.after"
    case clearAfter = "clear.after"
    case launchBefore = "launch.before"
    case launchAfter = "launch.after"
    case commitBefore = "commit.before"
    case commitAfter = "commit.after"
    /// Around a sync that overlaps with later turns. To choose one of them makes syncs overlap, whatever the disk.
    case syncBefore = "sync.before"
    case syncAfter = "sync.after"
    /// Before a handler is invoked or warned.
    case start
    case expire
    case killBefore = "kill.before"
    case killAfter = "kill.after"
    case replyBefore = "reply.before"
    case replyAfter = "reply.after"
    case retire
    /// Around the time when workers receive the turn's decisions.
    case flushBefore = "flush.before"
    case flushAfter = "flush.after"
    /// Around the time when the requester learns that a request is on disk.
    case answerBefore = "answer.before"
    case answerAfter = "answer.after"
    /// A transfer was accepted and is not written yet.
    case transferMake = "transfer.make"
    /// Before an attempt of a transfer is ordered, when it has ended, before its file is moved, before its application
    /// receives the end.
    case transferBegin = "transfer.begin"
    case transferEnd = "transfer.end"
    case transferPublish = "transfer.publish"
    case transferTell = "transfer.tell"
    /// In a fleet: a claim has been received and is not entered yet; before a renewal, before a request is shared; the end of
    /// its run is on disk and has not been told, and the fleet has answered it.
    case claimTake = "claim.take"
    case claimRenew = "claim.renew"
    case claimSubmit = "claim.submit"
    case claimEnd = "claim.end"
    case claimAnswer = "claim.answer"
    /// When only cleaning up is left.
    case close

    #if DEBUG
    private static let left = Atomic(setting.dropFirst().first.flatMap { Int($0) } ?? 1)
    private static let chosen = setting.first.flatMap { Failpoint(rawValue: String($0)) }
    private static var setting: [Substring] {
        ThisProcess.variable("TASKHOST_FAILPOINT")?.split(separator: ":") ?? []
    }
    #endif

    /// Whether syncs are to overlap with later turns; nil: as the disk is.
    public static var overlapsSyncs: Bool? {
        #if DEBUG
        chosen == .syncBefore || chosen == .syncAfter ? true : nil
        #else
        nil
        #endif
    }

    /// Ends the process or pauses, if the test has chosen the point.
    @inlinable @inline(__always)
    public static func pass(_ point: Failpoint) {
        #if DEBUG
        end(at: point)
        #endif
    }

    #if DEBUG
    @usableFromInline
    static func end(at point: Failpoint) {
        guard point == chosen else { return }
        let left = left.subtract(1, ordering: .relaxed).newValue
        guard left <= 0 else { return }
        if setting.count > 2 {
            Clock.pause(.seconds(1))
        } else if left == 0 {
            ProcessHandle.signal(pid: ThisProcess.pid, .SIGKILL)
        }
    }
    #endif
}

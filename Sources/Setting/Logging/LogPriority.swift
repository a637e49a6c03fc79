package import Record
package import TaskModel

/// How urgent an entry of the log is, with the numbers of syslog(3).
package enum LogPriority: UInt8, NamedCases, Sendable {
    case critical = 2
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6

    /// Of a run that ended so.
    ///
    /// - Parameter isDegraded: some of its limits were not enforced.
    package init(_ outcome: Outcome, isDegraded: Bool) {
        self =
            switch outcome.row.tone {
            case .good: isDegraded ? .warning : .info
            case .warn, .calm: .notice
            case .bad: .error
            }
    }

    /// Of a line of the journal.
    package init(_ kind: JournalKind) {
        self =
            switch kind {
            case .quarantined, .manifestBroken, .launchFailed, .crashed, .rowSetAside: .error
            case .simulatedFault, .deviceOverride, .misuse, .busLost, .fleetLost, .shortage, .sleepNotBlocked,
                .transferProcessLost,
                .transferFailed, .renewalFailed, .requestRefused:
                .warning
            case .deviceReset, .quarantineLifted, .forceQuit, .refreshDenied, .refreshAllowed, .clockJump,
                .timeZoneChanged, .busFound, .fleetFound, .terminated, .simulatedLaunch, .simulatedExpiration,
                .workPaused,
                .workResumed:
                .notice
            case .hostStarted, .hostStopped, .requestSubmitted, .requestReplaced, .requestCancelled, .opened,
                .manifestLoaded, .manifestRemoved, .timeLeftOut, .processPrinted, .notification, .transferAdded,
                .transferPaused, .transferResumed, .transferCancelled, .sessionEvents:
                .info
            }
    }
}

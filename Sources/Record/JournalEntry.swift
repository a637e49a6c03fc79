package import TaskModel

/// An event of the host in the journal. The numbers are stored.
package enum JournalKind: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case hostStarted = 1
    case hostStopped = 2
    case requestSubmitted = 3
    case requestReplaced = 4
    case requestCancelled = 5
    case requestRefused = 6
    case deviceOverride = 7
    case deviceReset = 8
    case simulatedLaunch = 9
    case simulatedExpiration = 10
    /// An application used the framework in a way that iOS answers with a crash.
    case misuse = 11
    case quarantined = 12
    case quarantineLifted = 13
    case forceQuit = 14
    case opened = 15
    case refreshDenied = 16
    case refreshAllowed = 17
    case manifestLoaded = 18
    case manifestRemoved = 19
    case manifestBroken = 20
    /// The wall clock was set, or the machine slept.
    case clockJump = 21
    case busLost = 22
    case busFound = 23
    /// The user skipped a time of a schedule.
    case timeLeftOut = 24
    /// A process printed something and ended without a run that it could belong to.
    case processPrinted = 25
    /// What launches lacked has lasted for many tries.
    case shortage = 30
    /// An application posted a notification for its user, or requested authorization.
    case notification = 31
    /// The machine's own time zone is another.
    case timeZoneChanged = 32
    /// The host ended a process of an application.
    case terminated = 33
    /// logind does not let the host keep the machine awake.
    case sleepNotBlocked = 36
    /// An application was launched without a run, and could not be.
    case launchFailed = 37
    /// The transfer process has ended; its transfers continue later.
    case transferProcessLost = 38
    /// A transfer failed, or its file could not be moved to where its application finds it. Not one that was cancelled.
    case transferFailed = 39
    /// A user added a transfer, or a user's command for one.
    case transferAdded = 40
    case transferPaused = 41
    case transferResumed = 42
    case transferCancelled = 43
    /// The run that was to renew an application's credentials has failed.
    case renewalFailed = 44
    /// An application was launched, or called, for the events of a background session.
    case sessionEvents = 45
    /// A process of an application died without a run in progress.
    case crashed = 46
    /// The user holds a task, an application or all work back.
    case workPaused = 47
    case workResumed = 48
    /// A row of the record makes no sense, or contradicts what was to be recorded: nothing more is done for it.
    case rowSetAside = 49
    /// The fleet's database is out of reach, or refuses the host; or it answers.
    case fleetLost = 50
    case fleetFound = 51
    /// The user lets a fault happen.
    case simulatedFault = 60
}

/// One line of the journal.
package struct JournalEntry: Sendable, Equatable {
    package var at: Timestamp
    package var kind: JournalKind
    /// The identifier, application, condition or file that it is about; may be empty.
    package var subject: String
    /// A sentence for display.
    package var text: String

    package init(at: Timestamp, kind: JournalKind, subject: String, text: String) {
        self.at = at
        self.kind = kind
        self.subject = subject
        self.text = text
    }

    /// Of the subject and of the text, in bytes of UTF-8; the rest is cut off.
    package static let maximumText = 1 << 10
}

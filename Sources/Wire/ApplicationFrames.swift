package import TaskModel

/// An application's status, from the host to a worker (`stateChanged`): before the tasks, and whenever part of it
/// changes.
package struct ApplicationStatus: Sendable, Equatable, BitwiseCopyable {
    package var state: ApplicationState
    package var backgroundRefresh: BackgroundRefreshStatus
    /// When background time ends; `distantFuture` while nothing ends it (the foreground, or a run that has its own budget).
    package var backgroundEnd: Instant
    /// How much background time there is in all.
    package var backgroundTime: TimeSpan
    /// The number of this state: the application is called for it, and `returned` answers. 1 for the first state of a
    /// worker, each has one more than the one before; 0: no call and no answer.
    package var callID: UInt32
    /// The process was suspended, and continues with this.
    package var endsSuspension = false

    package init(
        state: ApplicationState, backgroundRefresh: BackgroundRefreshStatus = .available,
        backgroundEnd: Instant = .distantFuture, backgroundTime: TimeSpan = LimitsProfile.modern.backgroundTime,
        callID: UInt32 = 0
    ) {
        self.state = state
        self.backgroundRefresh = backgroundRefresh
        self.backgroundEnd = backgroundEnd
        self.backgroundTime = backgroundTime
        self.callID = callID
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.stateChanged)
        frame.write(state, backgroundRefresh, backgroundEnd, backgroundTime, callID, endsSuspension)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (state, backgroundRefresh, backgroundEnd, backgroundTime, callID, endsSuspension) = try frame.read()
        try frame.end()
    }
}

/// Whether the user allows background refresh. The numbers are those of `TASKHOST_REFRESH_…` in taskhost_scheduling.h.
package enum BackgroundRefreshStatus: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case restricted = 0
    case denied = 1
    case available = 2
}

/// The title and subtitle that a continued-processing run is displayed with (`title`).
package struct TitleReport: Sendable, Equatable {
    package var title: String
    package var subtitle: String

    package init(title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
    }

    package func frame(run: RunHandle) -> [UInt8] {
        var frame = FrameWriter(.title, run: run)
        frame.text(title, most: ServiceLimits.title)
        frame.text(subtitle, most: ServiceLimits.title)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        title = try frame.text(most: ServiceLimits.title)
        subtitle = try frame.text(most: ServiceLimits.title)
        try frame.end()
    }
}

/// A sentence for the journal: a misuse of the services, reported by the application or its SDK (`misuse`), or a notification
/// of the application for its user, or a request for authorization (`notification`).
package struct SentenceReport: Sendable, Equatable {
    package var sentence: String

    package init(sentence: String) { self.sentence = sentence }

    package func frame(_ kind: FrameKind) -> [UInt8] {
        var frame = FrameWriter(kind)
        frame.text(sentence, most: ServiceLimits.sentence)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        sentence = try frame.text(most: ServiceLimits.sentence)
        try frame.end()
    }
}

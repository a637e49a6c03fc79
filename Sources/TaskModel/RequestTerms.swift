/// The terms of a request in addition to its identifier and kind: the fields of BGTaskRequest and its subclasses.
package struct RequestTerms: Sendable, BitwiseCopyable, Hashable {
    /// No run before it; nil: none is too early. Ignored for continued processing.
    package var earliestBeginDate: Timestamp?
    /// Required by the request, in addition to the manifest's requirements.
    package var requiresExternalPower = false
    package var requiresNetwork = false
    package var strategy = SubmissionStrategy.queue
    /// BGContinuedProcessingTaskRequest.Resources, as its raw value.
    package var requiredResources: UInt32 = 0
    package var origin = RequestOrigin.application

    package init() {}
}

/// What happens to a continued-processing request that cannot run at once.
package enum SubmissionStrategy: UInt8, Sendable, BitwiseCopyable {
    case fail = 0
    case queue = 1
}

/// Who submitted a request. The numbers are stored.
package enum RequestOrigin: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// The application's code.
    case application = 1
    /// The manifest's schedule.
    case schedule = 2
    /// The user, with `taskhost submit` or the control API.
    case person = 3
    /// The host itself: a fetch, at the application's interval.
    case host = 4
    /// A run of another task: it succeeded, and this task comes after it, or it failed, and this one is its `onFailure`.
    case task = 5
}

/// Why a request is not taken. The numbers are those of BGTaskScheduler.Error.Code; they travel on the wire.
package enum SubmissionError: UInt32, Error, NamedCases, Sendable, BitwiseCopyable {
    case unavailable = 1
    case tooManyPendingTaskRequests = 2
    case notPermitted = 3
    case immediateRunIneligible = 4
}

/// A refused submission: the framework's code, and a sentence that says what to do.
package struct SubmissionFault: Error, Sendable, Equatable {
    package var code: SubmissionError
    package var sentence: String

    package init(_ code: SubmissionError, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// The state of an application, as UIApplication names it. The numbers are those of `TASKHOST_STATE_…` in taskhost.h.
package enum ApplicationState: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case notRunning = 0
    case inactive = 1
    case active = 2
    case background = 3
    case suspended = 4
}

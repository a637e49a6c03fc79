internal import CTaskHost

/// A request to continue work in the background that the user has just started.
open class BGContinuedProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    /// What to do when the work cannot start at once.
    public enum SubmissionStrategy: Int, Sendable {
        /// Refuse the request.
        case fail = 0
        /// Let it wait its turn.
        case queue = 1
    }

    /// What the work needs in addition to CPU and memory.
    public struct Resources: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The graphics processor.
        public static let gpu = Resources(rawValue: 1)
    }

    /// The displayed title of the work.
    open var title: String
    /// The text below the title.
    open var subtitle: String
    /// What to do when the work cannot start at once.
    open var strategy = SubmissionStrategy.queue
    /// What the work needs; see `BGTaskScheduler.supportedResources`.
    open var requiredResources: Resources = []

    /// - Parameters:
    ///   - identifier: one that the manifest permits, usually by a pattern that ends in `.*` and matches any one further
    ///     part.
    ///   - title: the displayed title of the work.
    ///   - subtitle: the text below the title.
    public init(identifier: String, title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
        super.init(taskHostIdentifier: identifier)
    }

    override func duplicate() -> BGTaskRequest {
        let copy = BGContinuedProcessingTaskRequest(identifier: identifier, title: title, subtitle: subtitle)
        copy.strategy = strategy
        copy.requiredResources = requiredResources
        return copy
    }
    override var kind: UInt32 { TASKHOST_KIND_CONTINUED_PROCESSING }
    override var terms: Terms {
        Terms(
            flags: strategy == .fail ? TASKHOST_REQUEST_FAILS_AT_ONCE : 0, title: title, subtitle: subtitle,
            resources: UInt32(truncatingIfNeeded: requiredResources.rawValue))
    }
}

extension BackgroundTransfer {
    /// Its state as its application sees it. The numbers are sent, and are those of `URLSessionTask.State` and
    /// `TASKHOST_KNOWN_…`.
    package enum Standing: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// It was resumed, whether it runs or waits.
        case running = 0
        /// It was not resumed.
        case suspended = 1
        /// It was cancelled, and its end is about to be decided.
        case canceling = 2
        /// It is over; the application has yet to receive that.
        case completed = 3
    }

    package var standing: Standing {
        if end != nil || !state.isOpen { return .completed }
        if isCanceling { return .canceling }
        return state == .suspended ? .suspended : .running
    }
}

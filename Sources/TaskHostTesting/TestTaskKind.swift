/// The kind of a task, by the manifest's words.
public enum TestTaskKind: String, Sendable, CaseIterable {
    /// Handled with a `BGAppRefreshTask`.
    case appRefresh
    /// Handled with a `BGProcessingTask`.
    case processing
    /// Handled with a `BGContinuedProcessingTask`.
    case continuedProcessing
    /// Handled with a `BGHealthResearchTask`.
    case healthResearch
}

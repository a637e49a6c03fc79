public import BackgroundTasks
internal import TaskHostRuntime

extension BGTask {
    /// The run's place in a trace, as the header `traceparent` of W3C Trace Context has it; nil when the host sends no traces,
    /// and outside of a run.
    ///
    /// A request that carries it, or a span that has it as its parent, joins the trace of the run.
    public var traceparent: String? { work?.run.traceparent }
}
